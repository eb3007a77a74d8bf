import { type Client, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';

export const api = 'svc/course-manager/v1';
export const posts = 'svc/host/v1/posts';
export const terms = 'svc/host/v1/terms';

export interface Section {
  readonly id: number;
  readonly name: string;
  readonly count: number;
  readonly order: number;
  readonly courseId: number | null;
}

/** The host with sections and courses, and people on its main site and on another one. */
export interface SectionHost {
  readonly lyceum: TestHost;
  readonly admin: Client;
  readonly editor: Client;
  readonly author: Client;
  readonly other: TestSite;
  /** Administrator of the other site. */
  readonly there: Client;
  /** Creates a section, its id. */
  section(name: string, body?: object, client?: Client): Promise<number>;
  /** Creates a record, its id. */
  record(body: object, client?: Client): Promise<number>;
  sections(query?: string): Promise<Section[]>;
  /** Rows of the audit log of this action, the oldest first. */
  audited(action: string): Promise<{ subject: string; from: unknown; to: unknown; user_id: number }[]>;
}

export async function startWithSections(): Promise<SectionHost> {
  const lyceum = await startTestHost({ modules: ['course_manager', 'lms'] });
  const { make } = lyceum;
  const as = async (role: string): Promise<Client> => lyceum.as(await make.user({ role }));
  const other = await make.site();
  const editor = await as('editor');
  return {
    lyceum,
    admin: lyceum.as(await make.admin()),
    editor,
    author: await as('author'),
    other,
    there: lyceum.as(await make.user({ role: 'administrator', site: other.blog_id }), other),
    section: async (name, body = {}, client = editor) =>
      (await client.post(terms, { taxonomy: 'course_section', name, ...body }).expect(201)).body.id,
    record: async (body, client = editor) =>
      (await client.post(posts, { title: 'Record', ...body }).expect(201)).body.id,
    sections: async (query = '') =>
      (await editor.get(`${api}/sidebar${query}`).expect(200)).body.sections as Section[],
    audited: (action) =>
      lyceum.host.db
        .knex('audit_log')
        .where({ module: 'course_manager', action: `course_manager.${action}` })
        .orderBy('id')
        .select('subject', 'from', 'to', 'user_id'),
  };
}

/** The code of an answer that must have this status. */
export async function refusal(
  answer: PromiseLike<{ status: number; body: { code: string } }>,
): Promise<string> {
  const { status, body } = await answer;
  return `${status} ${body.code}`;
}
