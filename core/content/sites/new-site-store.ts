import type { Knex } from 'knex';
import type { Database, NamedStatement } from '../../db/database.ts';

/** The row of a site that is to be. */
export interface NewSite {
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
  readonly slug: string;
  readonly title: string;
  readonly description?: string;
  readonly public?: number;
  readonly status_id?: number | null;
  readonly is_template?: boolean;
  readonly state?: 'creating' | 'ready';
}

/** Writes a site's row and nothing else; a taken address violates `sites_address`. */
export async function insertSite(trx: Knex.Transaction, site: NewSite): Promise<number> {
  const [row] = (await trx('sites').insert(site).returning('blog_id')) as { blog_id: number }[];
  if (!row) throw new Error('The insertion of a site returned no row.');
  return row.blog_id;
}

/** Options in which a new site follows the main site of its network. */
const inherited = ['timezone', 'date_format', 'default_lang', 'languages'];

export interface SiteBeginning {
  readonly administrator: { readonly id: number; readonly email: string };
  /** The main site of the network; null when the new one is to be that. */
  readonly rootBlogId: number | null;
  readonly categoryIds: readonly number[];
}

export interface InsertedSite {
  readonly blog_id: number;
  readonly registered: string;
  readonly last_updated: string;
}

const insertion: NamedStatement = {
  name: 'insert-whole-site',
  text: `with site as (
      insert into sites (network_id, domain, path, slug, title, description, public, status_id, is_template)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      returning blog_id, registered, last_updated
    ), member as (
      insert into memberships (blog_id, user_id, role) select blog_id, $10::int, 'administrator' from site
    ), options as (
      insert into site_options (blog_id, name, value)
      select site.blog_id, 'admin_email', to_jsonb($11::text) from site
      union all
      select site.blog_id, o.name, o.value from site cross join site_options o
        where o.blog_id = $12::int and o.name = any($13::text[])
    ), categories as (
      insert into site_terms (blog_id, term_id) select blog_id, unnest($14::int[]) from site
    )
    select * from site`,
};

/** Writes a site with its administrator, options and categories in one statement. */
export async function insertWholeSite(
  db: Database,
  trx: Knex.Transaction,
  site: Omit<NewSite, 'state'>,
  { administrator, rootBlogId, categoryIds }: SiteBeginning,
): Promise<InsertedSite> {
  const { network_id, domain, path, slug, title } = site;
  const { description = '', public: isPublic = 1, status_id = null, is_template = false } = site;
  const row = [network_id, domain, path, slug, title, description, isPublic, status_id, is_template];
  const beginning = [administrator.id, administrator.email, rootBlogId, inherited, categoryIds];
  const [inserted] = await db.named<InsertedSite>(insertion, [...row, ...beginning], trx);
  if (!inserted) throw new Error('The insertion of a site returned no row.');
  return inserted;
}

/** What a new site takes from its network, and who is to run it. */
export interface NewSiteContext {
  readonly domain: string;
  readonly path: string;
  readonly root_blog_id: number | null;
  readonly options: {
    readonly first_post?: string;
    readonly welcome_email?: string;
    readonly site_name?: string;
    readonly admin_email?: string;
  };
  readonly user_id: number;
  readonly login: string;
  readonly email: string;
}

const context: NamedStatement = {
  name: 'new-site-context',
  text: `select n.domain, n.path, n.root_blog_id, u.id as user_id, u.login, u.email,
      coalesce((select jsonb_object_agg(o.name, o.value) from network_options o where o.network_id = n.network_id
        and o.name in ('first_post', 'welcome_email', 'site_name', 'admin_email')), '{}') as options
    from networks n cross join users u where n.network_id = $1 and u.id = $2 for key share of u`,
};

/** Null when there is no such user; one who is there cannot be removed until the transaction ends. */
export async function readContext(
  db: Database,
  trx: Knex.Transaction,
  networkId: number,
  userId: number,
): Promise<NewSiteContext | null> {
  const [row] = await db.named<NewSiteContext>(context, [networkId, userId], trx);
  return row ?? null;
}
