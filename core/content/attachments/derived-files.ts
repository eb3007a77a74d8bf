import { type ArtifactFolder, artifactFolders } from '../../artifacts/artifact.ts';

/** What somebody knows to be made of an attachment's file; absent is none. */
export interface DerivedFiles {
  /** Files in each folder. */
  readonly folders?: Partial<Readonly<Record<ArtifactFolder, number>>>;
  /** The attachment has a poster. */
  readonly poster?: boolean;
  /** Keys of work on the file that waits or runs. */
  readonly queueKeys?: readonly string[];
}

/** All that is made of an attachment's file. */
export interface DerivedTally {
  /** Whether there is anything. */
  readonly present: boolean;
  readonly folders: Readonly<Record<ArtifactFolder, number>>;
  readonly poster: boolean;
  readonly queueKeys: readonly string[];
}

/** Adds up what several know. */
export function tallyDerived(reports: readonly DerivedFiles[]): DerivedTally {
  const inFolder = (folder: ArtifactFolder): number =>
    reports.reduce((files, report) => files + (report.folders?.[folder] ?? 0), 0);
  const folders = Object.fromEntries(
    artifactFolders.map((folder) => [folder, inFolder(folder)]),
  ) as DerivedTally['folders'];
  const poster = reports.some((report) => report.poster === true);
  const queueKeys = reports.flatMap((report) => report.queueKeys ?? []);
  const present = poster || queueKeys.length > 0 || Object.values(folders).some((files) => files > 0);
  return { present, folders, poster, queueKeys };
}
