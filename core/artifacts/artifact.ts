/** Folders of the artifacts of an attachment, in the order in which they are shown. */
export const artifactFolders = ['sources', 'subtitles', 'chapters', 'thumbnails', 'stills'] as const;
/** One of the five folders. */
export type ArtifactFolder = (typeof artifactFolders)[number];

/** Whether there is such a folder. */
export const isArtifactFolder = (text: string): text is ArtifactFolder =>
  (artifactFolders as readonly string[]).includes(text);

/** A file, or a tree of files, that players are given for an attachment. */
export interface Artifact {
  readonly id: number;
  readonly blog_id: number;
  readonly attachment_id: number;
  readonly folder: ArtifactFolder;
  /** Unique in its folder; `<tree>/master.m3u8` for a tree. */
  readonly name: string;
  /** Below the site's `/files/`: for `FileLinks.plain` and `granted`. */
  readonly path: string;
  /** Of the whole tree. */
  readonly bytes: number;
  readonly mime_type: string;
  /** What it was made as: an attachment has one of each. Null for artifacts that are many of a kind. */
  readonly format_key: string | null;
  /** What its maker notes of it. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** True until it is renamed: its address gives these bytes for ever. */
  readonly hashed: boolean;
  readonly created_at: string;
  /** Folder in the storage that is its own; `PlaybackArtifacts.key` makes keys of it. */
  readonly place: string;
  readonly tree: boolean;
}

/** An artifact to be, whose content is stored already. */
export interface NewArtifact {
  readonly folder: ArtifactFolder;
  /** From `artifactName`, so that it holds a hash of the content; a tree's without its first file. */
  readonly name: string;
  readonly mime_type: string;
  /** One that the attachment has of this key is superseded. */
  readonly format_key: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Content in the storage that no artifact has yet. */
export interface StoredContent {
  readonly blogId: number;
  readonly attachmentId: number;
  readonly place: string;
  readonly tree: boolean;
  readonly bytes: number;
  /** 8 hex digits of the content's SHA-256, for the name. */
  readonly hash: string;
}

/** The file that a tree is entered by. */
export const treeEntry = 'master.m3u8';
