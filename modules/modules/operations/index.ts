import type { Operation } from '@lyceum/core';
import { changeSettings } from './change-settings.ts';
import { deleteData } from './delete-data.ts';
import { getModule } from './get-module.ts';
import { getMultiNetwork } from './get-multi-network.ts';
import { getSettings } from './get-settings.ts';
import { listAudit } from './list-audit.ts';
import { listModules } from './list-modules.ts';
import { putMultiNetwork } from './put-multi-network.ts';
import { rescanPackages } from './rescan-packages.ts';
import { showMatrix } from './show-matrix.ts';
import { putModule, toggleModule } from './toggle-module.ts';

export const operations: readonly Operation[] = [
  listModules,
  showMatrix,
  getModule,
  toggleModule,
  putModule,
  rescanPackages,
  getSettings,
  changeSettings,
  deleteData,
  listAudit,
  getMultiNetwork,
  putMultiNetwork,
];
