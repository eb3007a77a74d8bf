import path from 'node:path';
import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type LicenseRecord, route } from './license-kit.ts';
import { useWorld } from './world.ts';

describe('license: products of modules', () => {
  const folders = [path.join(import.meta.dirname, 'packages')];
  const world = useWorld({ modules: ['license', 'lms', 'shop'], folders });

  it('are listed once, with the modules that name them', async () => {
    const { body } = await world.admin.get(`${route}/products`).expect(200);
    const named = (body as LicenseRecord[]).map(({ product_id, name, modules }) => [
      product_id,
      name,
      modules,
    ]);
    expect(named).to.deep.equal([
      ['acme.shop', 'Shop', ['shop']],
      ['svclms', 'LMS', ['lms', 'shop']],
      ['svclms-pro', 'LMS Pro', []],
      ['svctutor', 'Tutor', []],
      ['svctutor-bot', 'Tutor Bot', []],
      ['svctutor-forms', 'Tutor Forms', []],
    ]);
  });

  it('are asked about by their own numbers, and say which version is installed', async () => {
    world.server.sell('shop-key', { item_id: '77' });
    await world.admin.post(`${route}/acme.shop/activate`, { license_key: 'shop-key' }).expect(200);
    expect(world.server.asked.at(-1)).to.include({ item_id: '77', item_name: 'Acme Shop' });
    const { body } = await world.admin.get(`${route}/acme.shop/data`).expect(200);
    expect(body.version.installed).to.deep.equal({ shop: '3.1.4' });
  });

  it('cost a fixed number of statements, however many sites have licenses', async () => {
    await world.lyceum.make.settings('license', { server_url: '' });
    const ask = () => world.admin.get(`${route}/products`).expect(200);
    const one = () => world.admin.get(`${route}/svclms/status`).expect(200);
    await ask();
    const license_key = world.vendor.key({ seats: 0 });
    await world.admin.post(`${route}/svclms/activate`, { license_key }).expect(200);
    const before = [await countStatements(ask), await countStatements(one)];
    for (let count = 0; count < 10; count += 1) {
      const { blog_id } = await world.lyceum.make.site();
      const body = { license_key, scope: 'site' };
      await world.admin.post(`${route}/svclms/activate?blog_id=${blog_id}`, body).expect(200);
    }
    expect([await countStatements(ask), await countStatements(one)]).to.deep.equal(before);
    expect((await one()).body.seats.used).to.equal(11);
  });
});
