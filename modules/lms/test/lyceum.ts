import { type Client, startTestHost, type TestHost, type TestHostOptions } from '@lyceum/core/testing';

export const posts = 'svc/host/v1/posts';

/** The host with course records, and an editor on its main site. */
export interface CourseHost {
  readonly lyceum: TestHost;
  readonly editor: Client;
  /** Creates a record as the editor; its id. */
  make(body: object, client?: Client): Promise<number>;
  /** The record as the editor sees it. */
  read(id: number): Promise<{ readonly status: string; readonly meta: Readonly<Record<string, unknown>> }>;
}

export async function startWithCourses(options: TestHostOptions = {}): Promise<CourseHost> {
  const lyceum = await startTestHost({ modules: ['lms'], ...options });
  const editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
  return {
    lyceum,
    editor,
    make: async (body, client = editor) =>
      (await client.post(posts, { title: 'Record', ...body }).expect(201)).body.id as number,
    read: async (id) => (await editor.get(`${posts}/${id}`).expect(200)).body,
  };
}
