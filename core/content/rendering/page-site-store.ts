import type { Database } from '../../db/database.ts';

interface PageSiteRow {
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
}

const pageSite = {
  name: 'page-site',
  text: 'select network_id, domain, path from sites where blog_id = $1',
};

/** Where a site lies; null where there is none. */
export async function findPageSite(db: Database, blogId: number): Promise<PageSiteRow | null> {
  const [row] = await db.lookUp<PageSiteRow>(pageSite, [blogId]);
  return row ?? null;
}
