import { expect } from 'chai';
import { type StoreKit, startStoreKit } from './store-kit.ts';

const table = 'svctutor/rag/v1/datatables';

describe('rag: the data table', () => {
  let kit: StoreKit;

  before(async () => {
    kit = await startStoreKit();
    await kit.settings({ rag_export_enabled: true });
  });
  after(() => kit.lyceum.stop());

  const bodyOf = async (
    query: string,
  ): Promise<{ recordsTotal: number; recordsFiltered: number; data: Row[] }> =>
    (await kit.admin.get(`${table}?${query}`).expect(200)).body;

  const refused = async (query: string): Promise<void> => {
    const { body } = await kit.admin.get(`${table}?${query}`).expect(400);
    expect(body.code, query).to.equal('rest_invalid_param');
  };

  interface Row {
    readonly id_chunk: number;
    readonly content: string;
    readonly word_count: number;
    readonly post_title: string;
    readonly [field: string]: unknown;
  }

  it('is empty where nothing is stored', async () => {
    const { body } = await kit.admin.get(`${table}?draw=3`).expect(200);
    expect(body).to.deep.equal({ draw: 3, recordsTotal: 0, recordsFiltered: 0, data: [] });
  });

  it('gives pages, and nothing behind the end', async () => {
    for (let page = 0; page < 3; page += 1) {
      const texts = Array.from({ length: 10 }, (_, n) => `Text ${page}-${n}${' word'.repeat(n)}`);
      await kit.publish({ title: `Page ${page}`, texts });
    }
    const last = await bodyOf('start=20&length=25');
    expect([last.recordsTotal, last.recordsFiltered, last.data.length]).to.deep.equal([30, 30, 10]);
    expect((await bodyOf('')).data).to.have.lengthOf(25);
    expect((await bodyOf('length=-1')).data).to.have.lengthOf(30);
    const behind = await bodyOf('start=30');
    expect([behind.recordsTotal, behind.recordsFiltered, behind.data]).to.deep.equal([30, 30, []]);
  });

  it('answers GET, a form and JSON alike', async () => {
    const query =
      'draw=7&start=0&length=5&search[value]=word&search[regex]=false&order[0][column]=1&order[0][dir]=desc' +
      '&columns[0][data]=id_chunk&columns[0][searchable]=true&columns[1][data]=word_count&columns[1][search][value]=';
    const json = {
      ...{ draw: 7, start: 0, length: 5, search: { value: 'word', regex: false, fixed: [] } },
      order: [{ column: 1, dir: 'desc', name: '' }],
      columns: [
        { data: 'id_chunk', searchable: true },
        { data: 'word_count', search: { value: '' } },
      ],
    };
    const byGet = await kit.admin.get(`${table}?${query}`).expect(200);
    const byForm = await kit.admin.post(table).type('form').send(query).expect(200);
    const byJson = await kit.admin.post(table, json).expect(200);
    expect(byForm.body).to.deep.equal(byGet.body);
    expect(byJson.body).to.deep.equal(byGet.body);
    expect(byGet.body.recordsFiltered).to.equal(27);
    expect((byGet.body.data as Row[])[0]?.word_count).to.equal(12);
    await kit.admin.post(table).type('text/plain').send('draw=1').expect(415);
  });

  it('orders by what it is told, ties by id', async () => {
    const down = await bodyOf('order[0][column]=0&order[0][dir]=desc&columns[0][data]=word_count&length=30');
    const counts = down.data.map(({ word_count }) => word_count);
    expect(counts).to.deep.equal([...counts].sort((a, b) => b - a));
    const first = down.data.slice(0, 3).map(({ id_chunk }) => id_chunk);
    expect(first).to.deep.equal([...first].sort((a, b) => a - b));
    const titles = await bodyOf(
      'order[0][column]=3&order[0][dir]=desc&order[1][column]=1&order[1][dir]=desc',
    );
    expect(titles.data[0]?.post_title).to.equal('Page 2');
    expect(titles.data[0]?.id_chunk).to.be.above(titles.data[1]?.id_chunk ?? 0);
  });

  it('looks for words as they stand, in content and title', async () => {
    await kit.publish({ title: 'Sale 50%_\\', texts: ['Now 50% off', 'Now 50 percent off'] });
    const contents = async (query: string): Promise<string[]> =>
      (await bodyOf(query)).data.map(({ content }) => content);
    const noTitle = '&columns[0][data]=post_title&columns[0][searchable]=false';
    expect(await contents(`search[value]=50%25${noTitle}`)).to.deep.equal(['Now 50% off']);
    expect(await contents('search[value]=NOW+50%25+OFF')).to.deep.equal(['Now 50% off']);
    expect(await contents('search[value]=%25_%5C')).to.have.lengthOf(2);
    expect(await contents('columns[0][data]=post_title&columns[0][search][value]=page+1')).to.have.lengthOf(
      10,
    );
    expect(await contents('columns[0][data]=content&columns[0][search][value]=percent')).to.have.lengthOf(1);
    const [row] = (await bodyOf('search[value]=percent')).data;
    expect(
      await contents(`columns[0][data]=id_chunk&columns[0][search][value]=${row?.id_chunk}`),
    ).to.have.lengthOf(1);
    expect(
      await contents(
        `columns[0][data]=content_hash&columns[0][search][value]=${row?.content_hash as string}`,
      ),
    ).to.have.lengthOf(1);
    expect(await contents('columns[0][data]=status&columns[0][search][value]=0')).to.have.lengthOf(25);
    expect(await contents('columns[0][data]=status&columns[0][search][value]=x')).to.deep.equal([]);
    expect(await contents('columns[0][data]=id_post&columns[0][search][value]=99999999999')).to.deep.equal(
      [],
    );
    const both = `${noTitle}&columns[1][data]=content&columns[1][searchable]=false`;
    expect(await contents(`search[value]=percent${both}`)).to.deep.equal([]);
  });

  it('shows a row as plain text, shortened, on the clocks of the site', async () => {
    const long = '🦓<script>'.repeat(60);
    const { chunks } = await kit.publish({ title: '<b>Bold</b>', texts: [long] });
    await kit.lyceum.host.db
      .knex('rag_chunks')
      .where('id_chunk', chunks[0])
      .update({ created_at: '2025-03-05T11:07:00Z', status: -1 });
    await kit.lyceum.make.settings('host', { timezone: 'Europe/Moscow' });
    const [row] = (await bodyOf(`columns[0][data]=id_chunk&columns[0][search][value]=${chunks[0]}`)).data;
    expect(row).to.deep.include({
      DT_RowId: `chunk_${chunks[0]}`,
      post_title: '<b>Bold</b>',
      status: -1,
      status_icon: 'red',
      content: `${[...long].slice(0, 200).join('')}…`,
      created_at: '2025-03-05T11:07:00.000Z',
      created_at_human: '05.03.2025 14:07',
    });
  });

  it('refuses what is no request of a table', async () => {
    for (const query of [
      ...[
        'columns[0][data]=id_chunk;drop table',
        'columns[0][data]=nothing',
        'length=0',
        'length=-2',
        'length=1001',
      ],
      ...['draw=abc', 'draw=1&draw=2', 'start=-1', 'search[regex]=true', `search[value]=${'x'.repeat(201)}`],
      ...['order[0][column]=0&order[0][dir]=asc', 'order[0][column]=99&order[0][dir]=asc'],
      ...[
        'order[0][column]=1&order[0][dir]=asc;drop',
        'order[0][column]=1',
        'order=1',
        'columns[999999][data]=id_chunk',
      ],
      ...['columns[1][data]=id_chunk', 'search=x', 'search[value][a]=x', 'draw[0]=1'],
      ...['columns[0][data]=&order[0][column]=0&order[0][dir]=asc', `a${'[b]'.repeat(40)}=1`],
      Array.from({ length: 21 }, (_, n) => `columns[${n}][data]=id_chunk`).join('&'),
      Array.from({ length: 1_100 }, (_, n) => `c[${n}]=`).join('&'),
    ]) {
      await refused(query);
    }
    const many = Array.from({ length: 10_000 }, (_, n) => `columns[${n}][data]=`).join('&');
    expect((await kit.admin.post(table).type('form').send(many).expect(400)).body.code).to.equal(
      'rest_invalid_param',
    );
    const prototype = await kit.admin
      .get(`${table}?__proto__[draw]=1&constructor[x]=2&toString=1`)
      .expect(200);
    expect(prototype.body.draw).to.equal(0);
    for (const body of [
      { draw: 'x' },
      { columns: 'x' },
      { order: [{ column: '0', dir: 'asc' }] },
      { length: 0 },
    ]) {
      await kit.admin.post(table, body).expect(400);
    }
  });

  it('is given up when the database takes too long', async () => {
    const held = await kit.lyceum.host.db.knex.transaction();
    try {
      await held.raw('lock table rag_chunks in access exclusive mode');
      const { body } = await kit.admin.get(`${table}?search[value]=x`).expect(503);
      expect(body.code).to.equal('rag_search_timeout');
    } finally {
      await held.rollback();
    }
  }).timeout(40_000);
});
