import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { cookieOf, sessionCookie, sha256 } from '../../core/auth/credentials.ts';
import { Nonces } from '../../core/auth/nonces.ts';
import { Keys } from '../../core/settings/secrets.ts';
import { tellUsage } from './usage.ts';

/**
 * What the host is measured against: `node:http` and `pg` with named prepared statements doing the same
 * look-ups and the same checks, and nothing else. Reads DATABASE_URL and SECRET_KEY, prints its port.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const nonces = new Nonces(new Keys(process.env.SECRET_KEY ?? '').derive('nonces'), Date.now);

const whoText = `
  select s.blog_id, s.network_id, s.domain, s.path, s.title, s.archived, s.deleted, s.spam,
    n.root_blog_id = s.blog_id as is_main_site, u.id as user_id, u.login, u.email, u.display_name, u.nicename,
    u.first_name, u.last_name, u.locale, u.registered, m.role, sa.user_id is not null as super_admin
  from sites s join networks n on n.network_id = s.network_id
  left join sessions e on e.token_hash = $5 and e.expires_at > now()
  left join users u on u.id = e.user_id
  left join memberships m on m.user_id = u.id and m.blog_id = s.blog_id
  left join super_admins sa on sa.user_id = u.id and sa.network_id = s.network_id
  where s.domain = any(array[$1, $2]::text[]) and s.path = any(array[$3, $4]::text[]) and s.state = 'ready'
  order by length(s.path) desc limit 1`;

const siteText = `
  select s.*, (select jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug)
      from terms t where t.id = s.status_id) as status,
    coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) order by t.id)
      from site_terms st join terms t on t.id = st.term_id where st.blog_id = s.blog_id), '[]') as categories
  from sites s where s.blog_id = $1 and s.state = 'ready'`;

const insertText = `insert into sites (network_id, domain, path, slug, title) values ($1, $2, $3, $4, $5) returning *`;
const memberText = `insert into memberships (blog_id, user_id, role) values ($1, $2, 'administrator')`;
const optionText = `insert into site_options (blog_id, name, value) values ($1, 'admin_email', $2)`;
const auditText = `insert into audit_log (user_id, user_login, network_id, blog_id, module, action, subject, "to")
  values ($1, $2, $3, $4, 'site_manager', 'site.create', $5, $6)`;

interface Who {
  readonly blog_id: number;
  readonly network_id: number;
  readonly user_id: number | null;
  readonly login: string;
  readonly email: string;
  readonly super_admin: boolean;
}

async function who(request: IncomingMessage): Promise<{ row: Who; session: Buffer } | null> {
  const url = request.url ?? '/';
  const token = cookieOf(request.headers.cookie, sessionCookie);
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const domains = host === '127.0.0.1' || host === 'localhost' ? ['127.0.0.1', 'localhost'] : [host, null];
  const paths = ['/', `/${url.split('/')[1]}/`];
  const session = sha256(token ?? '');
  const { rows } = await pool.query<Who>({
    name: 'who',
    text: whoText,
    values: [...domains, ...paths, session],
  });
  return rows[0] ? { row: rows[0], session } : null;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  data: unknown,
  nonce: string,
): void {
  const body = JSON.stringify(data);
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  if (nonce) headers['X-Svc-Nonce'] = nonce;
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  headers['Content-Length'] = String(Buffer.byteLength(body));
  response.writeHead(status, headers).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<{ title: string; slug: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as { title: string; slug: string };
}

async function createSite(user: Who, site: { title: string; slug: string }): Promise<unknown> {
  const client = await pool.connect();
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  try {
    await client.query('begin');
    const path = `/${site.slug}/`;
    const values = [user.network_id, 'localhost', path, site.slug, site.title];
    const { rows } = await run('insert', insertText, values);
    const { blog_id } = rows[0] as { blog_id: number };
    await run('member', memberText, [blog_id, user.user_id]);
    await run('option', optionText, [blog_id, JSON.stringify(user.email)]);
    await run('audit', auditText, [
      user.user_id,
      user.login,
      user.network_id,
      blog_id,
      `site:${blog_id}`,
      '{}',
    ]);
    await client.query('commit');
    return rows[0];
  } finally {
    client.release();
  }
}

// The index is made once, as the host makes it once per state of a site.
const index = JSON.stringify(JSON.parse(process.env.INDEX_BODY ?? '{}'));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = await who(request);
  if (!found) return send(request, response, 404, { code: 'site_not_found' }, '');
  const url = request.url ?? '/';
  if (url === '/api/') {
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(index);
    return;
  }
  const { row, session } = found;
  const nonce = String(request.headers['x-svc-nonce'] ?? '');
  if (row.user_id === null) return send(request, response, 401, { code: 'rest_forbidden' }, '');
  const isGood = nonces.isGood(nonce, row.user_id, session);
  if (url === '/api/svc/host/v1/session') return send(request, response, 200, { user: row, nonce }, nonce);
  if (!isGood || !row.super_admin) return send(request, response, 403, { code: 'rest_forbidden' }, '');
  if (request.method === 'POST') {
    return send(request, response, 201, await createSite(row, await bodyOf(request)), nonce);
  }
  const blogId = Number(/\/sites\/(\d+)$/.exec(url)?.[1]);
  const { rows } = await pool.query({ name: 'site', text: siteText, values: [blogId] });
  send(request, response, 200, rows[0], nonce);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
});
tellUsage();
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
