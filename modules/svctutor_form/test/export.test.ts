import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { entryTable } from '../entries/entry-table.ts';
import { actor, definition, field, handIn, submission } from './entry-kit.ts';
import { FormKit, route } from './form-kit.ts';

/** Rows of RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = cells.exec(text); found; found = cells.exec(text)) {
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') rows.push([]);
    if (cells.lastIndex === text.length) return rows.slice(0, -1);
  }
  throw new Error(`This is no CSV: ${text.slice(0, 200)}`);
}

describe('svctutor_form: entries as CSV', () => {
  let kit: FormKit;
  before(async () => {
    kit = await FormKit.start();
  });
  after(() => kit.lyceum.stop());

  const survey = async () => {
    const id = await kit.form();
    await kit.save(id, 'Definition', { definition: JSON.stringify(definition) });
    return id;
  };
  const add = (
    id: number,
    answers: readonly (readonly [string, string])[],
    user = null as null | { id: number; login: string },
  ) =>
    handIn(
      kit.lyceum,
      actor(user),
      id,
      submission(answers.map(([name, string]) => field({ name, string, value: null }))),
    );
  const exported = async (id: number) => {
    const answer = await kit.editor
      .get(route(`entries/export?id=${id}`))
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    return { headers: answer.headers as Record<string, string>, bytes: answer.body as Buffer };
  };
  const table = async (id: number) => {
    const { bytes } = await exported(id);
    expect([...bytes.subarray(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
    return readCsv(bytes.subarray(3).toString('utf8'));
  };

  it('have a column for each name, in the order in which the names came up', async () => {
    const id = await survey();
    const ann = await kit.lyceum.make.user({ role: 'subscriber' });
    const first = await add(
      id,
      [
        ['Name', 'Ann'],
        ['Café', 'Zoë, "Z"'],
      ],
      ann,
    );
    const second = await add(id, [
      ['Later', 'two\r\nlines'],
      ['Name', 'Bob'],
    ]);
    const third = await add(id, [
      ['Name', 'one'],
      ['Name', 'two'],
    ]);
    expect(await table(id)).to.deep.equal([
      ['index', 'created_at', 'user_id', 'Name', 'Café', 'Later'],
      ['1', first.created_at, String(ann.id), 'Ann', 'Zoë, "Z"', ''],
      ['2', second.created_at, '', 'Bob', '', 'two\r\nlines'],
      ['3', third.created_at, '', 'one; two', '', ''],
    ]);
    const { headers, bytes } = await exported(id);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal(`attachment; filename="form-${id}-entries.csv"`);
    expect(bytes.toString('utf8').slice(1)).to.equal(
      `index,created_at,user_id,Name,Café,Later\r\n` +
        `1,${first.created_at},${ann.id},Ann,"Zoë, ""Z""",\r\n` +
        `2,${second.created_at},,Bob,,"two\r\nlines"\r\n` +
        `3,${third.created_at},,one; two,,\r\n`,
    );
  });

  it('hold nothing that a spreadsheet would compute, names included', async () => {
    const id = await survey();
    const hostile = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '=HYPERLINK("http://x","y")',
      ' =1',
      "'=1",
      'a=1',
    ];
    await add(
      id,
      hostile.map((text, at) => [`${at}`, text] as const),
    );
    await add(id, [['=cmd|" /C calc"!A0', 'x']]);
    const [names, values] = await table(id);
    expect(values?.slice(3)).to.deep.equal([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'\t=1",
      "'\r=1",
      `'=HYPERLINK("http://x","y")`,
      ' =1',
      "'=1",
      'a=1',
      '',
    ]);
    expect(names?.at(-1)).to.equal(`'=cmd|" /C calc"!A0`);
  });

  it('of a form without entries are the names of the columns alone', async () => {
    expect(await table(await kit.form())).to.deep.equal([['index', 'created_at', 'user_id']]);
  });

  it('are read as they are sent, few at a time, and all are there', async () => {
    const id = await survey();
    const entries = 500;
    const { knex } = kit.lyceum.host.db;
    await knex.raw(
      `insert into form_entries (id, blog_id, form_id, index, fingerprint, stencil, fields, created_at)
       select gen_random_uuid(), 1, ?, n, '', '',
         jsonb_build_array(jsonb_build_object('name', 'Essay', 'string', repeat('long ', 10000) || n)), now()
       from generate_series(1, ?) n`,
      [id, entries],
    );
    const rows = await table(id);
    expect(rows).to.have.length(entries + 1);
    expect(rows.at(-1)?.[3]).to.equal(`${'long '.repeat(10_000)}${entries}`);
    const sent = await countStatements(async () => {
      const lines = entryTable(knex, id);
      for (let line = 0; line < 15; line += 1) await lines.next();
      await lines.return(undefined);
    });
    expect(sent).to.equal(3);
  });

  it('are described as what they are', async () => {
    const { body } = await kit.lyceum.anonymous.get('openapi.json').expect(200);
    const [, described] = Object.entries(body.paths).find(([path]) => path.endsWith('/entries/export')) ?? [];
    const { responses } = (described as { get: { responses: Record<string, object> } }).get;
    expect(responses['200']).to.deep.include({ content: { 'text/csv': { schema: { type: 'string' } } } });
    expect(responses).not.to.have.property('204');
  });

  it('are in the audit log, of whom and by whom', async () => {
    const id = await survey();
    await exported(id);
    const rows = await kit.lyceum.host.db
      .knex('audit_log')
      .where({ action: 'svctutor_form.export', subject: `form:${id}` });
    expect(rows).to.have.length(1);
    expect(rows[0].user_id).to.be.a('number');
    await (await kit.person('author')).get(route(`entries/export?id=${id}`)).expect(403);
    await kit.editor.get(route('entries/export?id=999999')).expect(404);
    await kit.editor.get(route('entries/export')).expect(400);
    expect(
      await kit.lyceum.host.db
        .knex('audit_log')
        .where({ action: 'svctutor_form.export', subject: `form:${id}` }),
    ).to.have.length(1);
  });
});
