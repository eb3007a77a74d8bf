// What a third party writes against the generated file: run and type-checked by `client.test.ts`.
import * as lyceum from './lyceum-client.ts';

const [, , origin = '', authorization = ''] = process.argv;
lyceum.defaults.baseUrl = `${origin}/api`;
lyceum.defaults.headers = { authorization };

const made = await lyceum.hostCreatePost({ type: 'page', title: 'Fire safety', status: 'publish' });
if (made.status !== 201) throw new Error(made.data.message);
const { id } = made.data;

const listed = await lyceum.hostListPosts({ $type: 'page', status: ['publish', 'draft'] });
const found = listed.status === 200 && listed.data.some((post) => post.id === id);

const nameless = await lyceum.hostCreatePost({ type: 'page', title: 'x'.repeat(501), status: 'draft' });
const refused = nameless.status === 400 ? nameless.data.code : null;

const echo = await lyceum.testParentPing();
const pong: boolean | null = echo.status === 200 ? echo.data.pong : null;

process.stdout.write(JSON.stringify({ found, refused, pong }));
