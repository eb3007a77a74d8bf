/** Tables that the host makes itself. No module may declare one: what a module declares goes with its data. */
export const hostTables: ReadonlySet<string> = new Set(
  (
    'application_passwords artifact_remains attachments audit_log idempotency_keys installation ' +
    'job_events jobs media_tracks memberships migrations module_crashes module_sites module_state ' +
    'module_tables network_options networks playback_artifacts post_revisions post_terms posts rate_limits ' +
    'schedules sessions site_copy_map site_options site_terms sites super_admins terms ' +
    'unclaimed_files user_meta users'
  ).split(' '),
);

/** Whose steps the host's own are noted as; no package may take the id. */
export const hostSteps = 'core';
