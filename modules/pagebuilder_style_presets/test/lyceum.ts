import { type Client, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';

export const presets = 'svc/pagebuilder-style-presets/v1/presets';

/** A package that says of a page builder that it is installed. */
export const pagebuilder = new URL('./packages/pagebuilder', import.meta.url).pathname;

export const hashOfNothing = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly is_default: boolean;
  readonly status: string;
  readonly hash: string;
  readonly author_id: number;
  readonly modified_at: string;
}

/** The host with a page builder, and people on its main site and on another one. */
export interface PresetHost {
  readonly lyceum: TestHost;
  readonly contributor: Client;
  readonly subscriber: Client;
  readonly other: TestSite;
  /** Contributor of the other site. */
  readonly there: Client;
  /** Creates a preset of the main site for headings. */
  make(body?: object): Promise<Preset>;
  read(id: number): Promise<Preset>;
  /** Names in a list. */
  names(query?: string): Promise<string[]>;
}

export async function startWithPresets(): Promise<PresetHost> {
  const lyceum = await startTestHost({ modules: ['pagebuilder_style_presets'], package: pagebuilder });
  const { make } = lyceum;
  const contributor = lyceum.as(await make.user({ role: 'contributor' }));
  const other = await make.site();
  let made = 0;
  return {
    lyceum,
    contributor,
    subscriber: lyceum.as(await make.user({ role: 'subscriber' })),
    other,
    there: lyceum.as(await make.user({ role: 'contributor', site: other.blog_id }), other),
    make: async (body = {}) => {
      made += 1;
      const given = { name: `Preset ${made}`, element_type: 'widget:heading', settings: {}, ...body };
      return (await contributor.post(presets, given).expect(201)).body;
    },
    read: async (id) => (await contributor.get(`${presets}/${id}`).expect(200)).body,
    names: async (query = '') =>
      (await contributor.get(`${presets}${query}`).expect(200)).body.map((preset: Preset) => preset.name),
  };
}

/** The status and the code of an answer. */
export async function refusal(
  answer: PromiseLike<{ status: number; body: { code: string } }>,
): Promise<string> {
  const { status, body } = await answer;
  return `${status} ${body.code}`;
}
