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
export { type Refusal, refusalOf, requiredBy, standings } from '../registry/effective.ts';
export { type InstalledModule, type InstalledModules, loadedCondition, type ModuleSpec } from '../registry/spec.ts';
export { overrideRule } from '../state/site-state.ts';
export { countFollowers, type WishPlace, writeWish } from '../state/wish-store.ts';
export { jsonSchemaOf } from '../http/json-schema.ts';
export { ModuleHooks } from '../boot/module-hooks.ts';
