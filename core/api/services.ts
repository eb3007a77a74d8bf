/** Host services that modules may ask for, by class. */
export { CapabilityTable } from '../auth/capabilities.ts';
export { Database, type NamedStatement } from '../db/database.ts';
export { isForeignKeyViolation, isUniqueViolation } from '../db/sql-errors.ts';
export { Addresses } from '../http/addresses.ts';
export { invalidParams } from '../http/input.ts';
export { maskedSecret } from '../settings/secrets.ts';
export { SettingsService } from '../settings/settings.ts';
export { type AuditEntry, audit } from '../state/audit.ts';
export { bumpRevision, type SiteState } from '../state/site-state.ts';
export { State } from '../state/state.ts';
