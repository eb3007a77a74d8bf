import { Secrets } from '@lyceum/core';
import { expect } from 'chai';
import { json, route } from './license-kit.ts';
import { useWorld } from './world.ts';

describe('license: keys are nobody’s business', () => {
  const logLines: string[] = [];
  const world = useWorld({ logLines });

  /** Every row of every table as text. */
  const everything = async (): Promise<string> => {
    const { knex } = world.lyceum.host.db;
    const tables = (await knex('information_schema.tables')
      .where({ table_type: 'BASE TABLE' })
      .whereIn('table_schema', ['public', 'pgboss'])
      .select('table_schema', 'table_name')) as { table_schema: string; table_name: string }[];
    const texts: string[] = [];
    for (const { table_schema, table_name } of tables) {
      const { rows } = await knex.raw('select t::text as row from ??.?? t', [table_schema, table_name]);
      for (const { row } of rows as { row: string }[]) texts.push(row);
    }
    return texts.join('\n');
  };

  it('in no table, log, answer or error, whatever the server says', async () => {
    const key = 'SECRET-1234-5678-abcd';
    const signed = world.vendor.key();
    const answers: unknown[] = [];
    const note = ({ body }: { body: unknown }): void => void answers.push(body);
    const echo = { customer_name: key, customer_email: `${key}@example.org`, payment: { id: key }, [key]: 1 };
    world.server.respond = (_asked, response) =>
      json(response, { success: false, license: 'invalid', error: key });
    note(await world.admin.post(`${route}/svclms/activate`, { license_key: key }));
    world.server.respond = (_asked, response) => response.end(`<html>${key}`);
    note(await world.admin.post(`${route}/svclms/activate`, { license_key: key }));
    world.server.respond = (_asked, response) => json(response, { success: true, license: 'valid', ...echo });
    note(
      await world.admin
        .post(`${route}/svclms/activate`, { license_key: key })
        .set('Idempotency-Key', 'one')
        .expect(200),
    );
    world.now = new Date(world.now.getTime() + 10_000);
    note(await world.admin.get(`${route}/svclms/status?refresh=true`));
    note(await world.admin.get(`${route}/svclms/data`));
    note(await world.admin.get(`${route}/products`));
    await world.server.stop();
    world.now = new Date(world.now.getTime() + 10_000);
    note(await world.admin.get(`${route}/svclms/status?refresh=true`));
    note(await world.admin.post(`${route}/svclms/deactivate`, {}));
    await world.server.start();
    note(await world.admin.post(`${route}/svctutor/activate`, { license_key: signed }));
    note(await world.admin.post(`${route}/svclms/activate`, { license_key: `${key}\n` }));
    note(await world.admin.post(`${route}/svclms/activate`, { license_key: { key } }));
    note(await world.admin.get('svc/modules/v1/audit?per_page=100'));
    const seen = [JSON.stringify(answers), await everything(), logLines.join('')];
    for (const text of seen) {
      expect(text.length).to.be.above(500);
      expect(text).to.not.include(key);
      expect(text).to.not.include(signed.split('.')[1]);
    }
    expect(seen[0]).to.include('****abcd');
  });

  it('a license that was sealed under another secret is invalid until its key is entered again', async () => {
    await world.admin.post(`${route}/svclms/activate`, { license_key: world.vendor.key() }).expect(200);
    const lost = new Secrets(Buffer.alloc(32)).seal(world.vendor.key());
    await world.lyceum.host.db.knex('licenses').update({ sealed_key: JSON.stringify(lost) });
    world.now = new Date(world.now.getTime() + 10_000);
    const { body } = await world.admin.get(`${route}/svclms/status?refresh=true`).expect(200);
    expect(body).to.include({ status: 'invalid', valid: false });
    expect(
      (await world.admin.post(`${route}/svclms/activate`, { license_key: world.vendor.key() })).body.status,
    ).to.equal('valid');
    await world.admin.post(`${route}/svclms/deactivate`, {}).expect(200);
  });

  it('a key of four characters shows none of them', async () => {
    world.server.respond = (_asked, response) => json(response, { success: true, license: 'valid' });
    for (const [license_key, shown] of [
      ['abcd', '****'],
      ['ABC-123', '****-123'],
      ['1234😀😀😀😀', '****😀😀😀😀'],
    ]) {
      const { body } = await world.admin.post(`${route}/svclms/activate`, { license_key }).expect(200);
      expect(body.license_key).to.equal(shown);
    }
  });
});
