import { createPackage } from './create-package.ts';
import { deletePackage } from './delete-package.ts';
import { deletePagePackage } from './delete-page-package.ts';
import { getPackage } from './get-package.ts';
import { getPagePackage } from './get-page-package.ts';
import { listPackages } from './list-packages.ts';
import { materializePages } from './materialize-pages.ts';
import { putPagePackage } from './put-page-package.ts';
import { replaceContent } from './replace-content.ts';
import { runBatch } from './run-batch.ts';
import { updatePackage } from './update-package.ts';

export const operations = [
  ...[listPackages, createPackage, getPackage, updatePackage, deletePackage, replaceContent],
  ...[materializePages, getPagePackage, putPagePackage, deletePagePackage, runBatch],
];
