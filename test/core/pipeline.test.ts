import { expect } from 'chai';
import { Crashes } from '../../core/isolation/crashes.ts';
import { probe, startTestHost, type TestHost, testModules } from '../kit/index.ts';

const items = 'test/probe/v1/items';

describe('pipeline', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: ['probe'], folders: [testModules] });
  });
  after(() => lyceum.stop());

  const author = () => lyceum.make.user({ role: 'author' });

  describe('methods', () => {
    it('answers another method 405 with those that the path has', async () => {
      const cases: [string, string, string][] = [
        ['put', 'test/probe/v1/echo', 'POST, DELETE'],
        ['post', 'test/probe/v1/ask', 'GET, HEAD'],
        ['delete', items, 'GET, HEAD, POST'],
        ['get', `${items}/5`, 'PATCH, POST, PUT'],
      ];
      for (const [method, route, allowed] of cases) {
        const answer = await lyceum.anonymous[method as 'get'](route).expect(405);
        expect(answer.body.code).to.equal('rest_method_not_allowed');
        expect(answer.headers.allow?.split(', ').sort()).to.deep.equal(allowed.split(', ').sort());
      }
      const head = await fetch(`${lyceum.origin}/api/test/probe/v1/echo`, { method: 'HEAD' });
      expect(head.status).to.equal(405);
    });

    it('answers OPTIONS with them, and 404 where there is no path', async () => {
      const answer = await lyceum.anonymous.options(items).expect(204);
      expect(answer.headers.allow).to.equal('GET, HEAD, POST');
      expect(answer.headers).not.to.have.property('access-control-allow-origin');
      await lyceum.anonymous.options('test/probe/v1/nothing').expect(404);
    });

    it('accepts POST and PUT where PATCH is meant', async () => {
      const client = lyceum.as(await author());
      for (const method of ['patch', 'put', 'post'] as const) {
        const { body } = await client[method](`${items}/7`, { text: method }).expect(200);
        expect(body).to.deep.equal({ changed: '7', text: method });
      }
    });

    it('takes a POST for the method that X-HTTP-Method-Override names', async () => {
      const client = lyceum.as(await author());
      const as = (method: string) =>
        client.post('test/probe/v1/echo', { text: 'x' }).set('X-HTTP-Method-Override', method);
      expect((await as('DELETE').expect(200)).body).to.deep.equal({ erased: 'x' });
      expect((await as('delete').expect(200)).body).to.deep.equal({ erased: 'x' });
      await as('PATCH').expect(405);
      for (const other of ['GET', 'OPTIONS', 'nonsense', '']) {
        expect((await as(other).expect(200)).body).to.deep.equal({ text: 'x' });
      }
      // Only a POST can be something else, and it needs what that needs.
      await client.get('test/probe/v1/ask').set('X-HTTP-Method-Override', 'DELETE').expect(200);
      await lyceum.anonymous.post(`${items}/7`, {}).set('X-HTTP-Method-Override', 'PATCH').expect(401);
    });

    it('reads the body of a DELETE', async () => {
      const answer = await lyceum.anonymous.delete('test/probe/v1/echo', { text: 'y' }).expect(200);
      expect(answer.body).to.deep.equal({ erased: 'y' });
      const missing = await lyceum.anonymous.delete('test/probe/v1/echo').expect(400);
      expect(missing.body.data).to.deep.equal({ status: 400, params: ['text'] });
    });

    it('answers HEAD like GET without the body', async () => {
      const [head, get] = await Promise.all([
        fetch(`${lyceum.origin}/api/${items}?per_page=2`, { method: 'HEAD' }),
        fetch(`${lyceum.origin}/api/${items}?per_page=2`),
      ]);
      expect(head.status).to.equal(200);
      expect(await head.text()).to.equal('');
      for (const name of ['etag', 'content-type', 'content-length', 'x-svc-total', 'link']) {
        expect(head.headers.get(name), name).to.equal(get.headers.get(name)).and.not.to.equal(null);
      }
    });
  });

  describe('paths', () => {
    it('accepts one trailing slash', async () => {
      await lyceum.anonymous.get(`${items}/`).expect(200);
      await lyceum.anonymous.get(`${items}//`).expect(404);
      const { body } = await lyceum
        .as(await author())
        .patch(`${items}/9/`, {})
        .expect(200);
      expect(body).to.deep.equal({ changed: '9' });
    });

    it('distinguishes case and knows no neighbours', async () => {
      for (const route of [
        'Test/probe/v1/items',
        'test/probe/v1/ITEMS',
        'test/probe/v2/items',
        'test/probe/v1',
        '..',
      ]) {
        const answer = await lyceum.anonymous.get(route).expect(404);
        expect(answer.body.code).to.equal('rest_no_route');
      }
    });

    it('gives a parameter as it was meant, and refuses NUL in it', async () => {
      const client = lyceum.as(await author());
      const { body } = await client.patch(`${items}/a%2Fb%20c%D0%B6`, {}).expect(200);
      expect(body.changed).to.equal('a/b cж');
      const refused = await client.patch(`${items}/a%00b`, {}).expect(400);
      expect(refused.body.data.params).to.have.all.keys(['id']);
      await client.patch(`${items}/%E0%A4%A`, {}).expect((answer) => {
        expect(answer.status).to.be.below(500);
      });
    });

    it('names every answer by a request id of its own', async () => {
      const ids = await Promise.all(
        [items, 'nothing', 'test/probe/v1/me'].map(
          async (route) => (await lyceum.anonymous.get(route)).headers['x-request-id'],
        ),
      );
      expect(new Set(ids).size).to.equal(3);
      for (const id of ids) expect(id).to.match(/^[0-9a-f-]{36}$/);
    });
  });

  describe('queries', () => {
    const ask = (query: string) => lyceum.anonymous.get(`test/probe/v1/ask?${query}`);

    it('are cast by their schema', async () => {
      const { body } = await ask('text=5&count=-7&flag=1&list=1,2.5&unknown=x').expect(200);
      expect(body).to.deep.equal({ text: '5', count: -7, flag: true, list: [1, 2.5] });
      expect((await ask('flag=false&list=').expect(200)).body).to.deep.equal({ flag: false, list: [] });
    });

    it('are refused when they cannot be', async () => {
      for (const [query, name] of [
        ['count=x', 'count'],
        ['count=1.5', 'count'],
        ['count=1e3', 'count'],
        ['count=0x10', 'count'],
        ['count=', 'count'],
        ['count=%201', 'count'],
        ['flag=yes', 'flag'],
        ['flag=TRUE', 'flag'],
        ['list=1,x', 'list'],
        ['text=a%00b', 'text'],
        ['text=a&text=b', 'text'],
      ] as const) {
        const answer = await ask(query).expect(400);
        expect(answer.body.code, query).to.equal('rest_invalid_param');
        expect(Object.keys(answer.body.data.params)).to.deep.equal([name]);
      }
    });
  });

  describe('lists', () => {
    it('carry totals and links to their neighbours', async () => {
      const answer = await lyceum.anonymous.get(`${items}?per_page=20&page=2`).expect(200);
      expect(answer.headers).to.include({ 'x-svc-total': '45', 'x-svc-totalpages': '3' });
      expect(answer.headers).to.include({ 'x-wp-total': '45', 'x-wp-totalpages': '3' });
      expect(answer.headers.link).to.equal(
        `<http://localhost:${lyceum.host.port}/api/${items}?per_page=20&page=1>; rel="prev", ` +
          `<http://localhost:${lyceum.host.port}/api/${items}?per_page=20&page=3>; rel="next"`,
      );
      expect((await lyceum.anonymous.get(`${items}?page=3`)).headers.link).not.to.include('next');
      const past = await lyceum.anonymous.get(`${items}?page=1000`).expect(200);
      expect(past.body).to.deep.equal([]);
      for (const query of ['page=0', 'page=1001', 'per_page=0', 'per_page=101', 'page=x']) {
        await lyceum.anonymous.get(`${items}?${query}`).expect(400);
      }
    });

    it('show what the schema lists, and of it what _fields names', async () => {
      const whole = await lyceum.anonymous.get(`${items}?per_page=1`).expect(200);
      expect(whole.body).to.deep.equal([{ id: 1, name: 'item 1', data: { id: 1 } }]);
      const some = await lyceum.anonymous.get(`${items}?per_page=2&_fields=id,%20data,secret,toString`);
      expect(some.body).to.deep.equal([
        { id: 1, data: { id: 1 } },
        { id: 2, data: { id: 2 } },
      ]);
      for (const asked of ['_fields=id&_fields=name', '_fields[]=id&_fields[]=name', '_fields[]=id,name']) {
        const repeated = await lyceum.anonymous.get(`${items}?per_page=1&${asked}`);
        expect(repeated.body, asked).to.deep.equal([{ id: 1, name: 'item 1' }]);
      }
      const object = await lyceum.anonymous.get('test/probe/v1/ask?text=a&count=5&_fields=count');
      expect(object.body).to.deep.equal({ count: 5 });
      const none = await lyceum.anonymous.get('test/probe/v1/ask?text=a&_fields=');
      expect(none.body).to.deep.equal({ text: 'a' });
      // An error is told in full.
      const error = await lyceum.anonymous.get('test/probe/v1/ask?count=x&_fields=code').expect(400);
      expect(error.body).to.have.all.keys(['code', 'message', 'data']);
    });
  });

  describe('validators', () => {
    const get = (match: string, query = 'text=a') =>
      lyceum.anonymous.get(`test/probe/v1/ask?${query}`).set('If-None-Match', match);

    it('spare the body when the client has it already', async () => {
      const first = await lyceum.anonymous.get('test/probe/v1/ask?text=a').expect(200);
      const { etag = '' } = first.headers;
      expect(etag).to.match(/^"[\w-]{27}"$/);
      for (const match of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const answer = await get(match).expect(304);
        expect(answer.text).to.equal('');
        expect(answer.headers.etag).to.equal(etag);
      }
      await get('"x"').expect(200);
      await get(etag.slice(1, -1)).expect(200);
      await get(etag, 'text=b').expect(200);
    });

    it('stand on no refusal and no write', async () => {
      const refused = await lyceum.anonymous.get('test/probe/v1/me').set('If-None-Match', '*').expect(401);
      expect(refused.headers).not.to.have.property('etag');
      const written = await lyceum.anonymous.post('test/probe/v1/echo', {}).expect(200);
      expect(written.headers).not.to.have.property('etag');
    });
  });

  describe('handlers that go wrong', () => {
    // The third crash would switch the probe off.
    const forget = (): Promise<void> => {
      const { db, services } = lyceum.host;
      return db.transaction((trx) => services.host(Crashes).clear(trx, 'probe'));
    };
    afterEach(forget);

    it('are 500 without a word of what happened, whatever they throw or return', async () => {
      const wrongs = ['null', 'rejection', 'text', 'nothing', 'unfit', 'function', 'cyclic'];
      for (const name of wrongs) {
        const answer = await lyceum.anonymous.get(`test/probe/v1/wrong/${name}`).expect(500);
        const { 'x-request-id': request_id } = answer.headers;
        expect(answer.body, name).to.deep.equal({
          code: 'internal_error',
          message: 'Something went wrong. The log knows more under this request id.',
          data: { status: 500, request_id },
        });
        await lyceum.anonymous.get('test/probe/v1/open').expect(200);
        await forget();
      }
    });

    it('are 504 after their time limit, and told so by the signal', async () => {
      const before = probe.counts.aborted;
      const answers = await Promise.all([
        lyceum.anonymous.post('test/probe/v1/never'),
        lyceum.anonymous.post('test/probe/v1/never'),
        lyceum.anonymous.get('test/probe/v1/open'),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([504, 504, 200]);
      expect(answers[0]?.body.code).to.equal('module_timeout');
      expect(probe.counts.aborted).to.equal(before + 2);
    });

    it('may have nothing to say: 204', async () => {
      const answer = await lyceum.anonymous.post('test/probe/v1/silent').expect(204);
      expect(answer.text).to.equal('');
    });
  });
});
