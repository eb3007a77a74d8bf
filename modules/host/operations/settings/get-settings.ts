import { defineOperation } from '@lyceum/core';
import { SettingsDocument, settingsDocument } from './settings-document.ts';

export const getSettings = defineOperation({
  id: 'host.get-settings',
  method: 'GET',
  path: 'svc/host/v1/settings',
  summary: 'Settings of the site, and of the network for who may change them',
  access: { can: 'manage_options' },
  site: 'selectable',
  output: SettingsDocument,
  handle: (_input, call) => settingsDocument(call, call.state),
});
