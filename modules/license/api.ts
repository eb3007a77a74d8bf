export { type LicenseState, Licenses } from './licenses.ts';
