import type { Operation } from '@lyceum/core';
import { cancelFormat } from './cancel-format.ts';
import { changeSettings } from './change-settings.ts';
import { clearQueue } from './clear-queue.ts';
import { controlQueue } from './control-queue.ts';
import { deleteArtifacts } from './delete-artifacts.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteStills } from './delete-stills.ts';
import { encodeAttachment } from './encode-attachment.ts';
import { encodeUpload } from './encode-upload.ts';
import { getEntry } from './get-entry.ts';
import { getMedia } from './get-media.ts';
import { getSettings } from './get-settings.ts';
import { getThumbnails } from './get-thumbnails.ts';
import { listArtifacts } from './list-artifacts.ts';
import { listFormats } from './list-formats.ts';
import { listQueue } from './list-queue.ts';
import { listStills } from './list-stills.ts';
import { makeThumbnails } from './make-thumbnails.ts';
import { packArtifacts } from './pack-artifacts.ts';
import { renameArtifact } from './rename-artifact.ts';
import { deletePoster, setPoster } from './set-poster.ts';
import { takeStills } from './take-stills.ts';
import { uploadMedia } from './upload-media.ts';

export const operations: readonly Operation[] = [
  ...[listFormats, getSettings, changeSettings, uploadMedia, encodeUpload, encodeAttachment, getMedia],
  ...[listQueue, getEntry, controlQueue, clearQueue, deleteEntry, cancelFormat],
  ...[listStills, takeStills, deleteStills, getThumbnails, makeThumbnails, setPoster, deletePoster],
  ...[listArtifacts, packArtifacts, renameArtifact, deleteArtifacts],
];
