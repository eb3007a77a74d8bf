import { connect } from './connect.ts';
import { createConnectToken } from './create-connect-token.ts';
import { disconnect } from './disconnect.ts';
import { getDesktopStatus } from './get-desktop-status.ts';
import { getDocument } from './get-document.ts';
import { getRevision } from './get-revision.ts';
import { getStatus } from './get-status.ts';
import { listConnections } from './list-connections.ts';
import { listItems } from './list-items.ts';
import { listRevisions } from './list-revisions.ts';
import { listSites } from './list-sites.ts';
import { revokeConnection } from './revoke-connection.ts';
import { writeDocument } from './write-document.ts';

export const operations = [
  createConnectToken,
  connect,
  getDesktopStatus,
  disconnect,
  listSites,
  getStatus,
  listItems,
  getDocument,
  writeDocument,
  listRevisions,
  getRevision,
  listConnections,
  revokeConnection,
];
