import { defineOperation } from '@lyceum/core';
import { presentSettings, SettingsRecord } from '../settings-record.ts';

export const getSettings = defineOperation({
  id: 'media_converter.get-settings',
  method: 'GET',
  path: 'svc/media-converter/v1/settings',
  summary: 'How films and sound are encoded here',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  output: SettingsRecord,
  handle: (_input, call) => presentSettings(call, call.state),
});
