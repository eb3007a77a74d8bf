/** What `POST /import` asks the job for. */
export interface ImportPayload {
  /** Names the file in the storage. */
  readonly upload: string;
  readonly file_name: string;
  readonly bytes: number;
  /** Address of the site that is imported into, as the client knew it. */
  readonly site_url: string;
  readonly author_map: Readonly<Record<string, number>>;
  readonly default_author_id: number;
  readonly create_users: boolean;
  readonly fetch_attachments: boolean;
  readonly rewrite_urls: boolean;
  readonly dry_run: boolean;
}

/** Where the file lies until the job has ended. */
export const importKey = (blogId: number, { upload }: Pick<ImportPayload, 'upload'>): string =>
  `sites/${blogId}/imports/${upload}.xml`;
