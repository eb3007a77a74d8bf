import { artifactFolders, type DerivedTally, yup } from '@lyceum/core';

/** What was made of the file for players. */
export const PlaybackArtifactsRecord = yup.object({
  present: yup.boolean().required(),
  folders: yup
    .object(Object.fromEntries(artifactFolders.map((folder) => [folder, yup.number().integer().required()])))
    .required(),
  poster: yup.boolean().required(),
  queue_keys: yup.array().of(yup.string().required()).required(),
});

export const presentArtifacts = ({ present, folders, poster, queueKeys }: DerivedTally) => ({
  present,
  folders,
  poster,
  queue_keys: queueKeys,
});
