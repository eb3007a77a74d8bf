import { cp, rm } from 'node:fs/promises';
import { type Client, PackageFolder, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { pagebuilder, presets, refusal } from './lyceum.ts';

const modules = 'svc/modules/v1/modules';
const own = `${modules}/pagebuilder_style_presets`;
const absent = '404 rest_no_route';
const heading = { name: 'Title', element_type: 'widget:heading', settings: { a: 1 } };

describe('pagebuilder_style_presets: the page builder', () => {
  let folder: PackageFolder;
  let lyceum: TestHost;
  let admin: Client;

  const start = async (watch: boolean): Promise<void> => {
    const named = ['pagebuilder_style_presets', 'pagebuilder'];
    lyceum = await startTestHost({ modules: named, folders: [folder.path], watch });
    admin = lyceum.as(await lyceum.make.admin());
  };
  beforeEach(async () => {
    folder = await PackageFolder.make();
  });
  afterEach(async () => {
    await lyceum.stop();
    await folder.remove();
  });

  const install = () => cp(pagebuilder, folder.at('pagebuilder'), { recursive: true });
  const uninstall = () => rm(folder.at('pagebuilder'), { recursive: true });
  const rescan = async () => (await admin.post(`${modules}/rescan`).expect(200)).body;
  const condition = async () => (await admin.get(own).expect(200)).body;

  it('is waited for: without it there is no route, and nobody can switch the module on', async () => {
    await start(false);
    expect(await refusal(admin.get(presets))).to.equal(absent);
    expect(await refusal(admin.post(presets, heading))).to.equal(absent);
    expect(await refusal(admin.patch(`${presets}/1`, {}))).to.equal(absent);
    expect(await refusal(lyceum.anonymous.get(presets))).to.equal(absent);
    const { conditions, enabled, reason } = await condition();
    expect(conditions.map(({ id, met }: { id: string; met: boolean }) => [id, met])).to.deep.equal([
      ['pagebuilder', false],
    ]);
    expect([enabled, reason]).to.deep.equal([false, 'condition']);
    const { body } = await admin.put(own, { enabled: true }).expect(403);
    expect([body.code, body.data.reason, body.data.condition]).to.deep.equal([
      'module_toggle_refused',
      'condition',
      'pagebuilder',
    ]);
  });

  it('comes and goes by a rescan, and presets are kept meanwhile', async () => {
    await start(false);
    await install();
    expect((await rescan()).loaded).to.deep.equal(['pagebuilder']);
    expect((await admin.get(presets).expect(200)).body).to.deep.equal([]);
    await admin.put(own, { enabled: true }).expect(200);
    const { body: made } = await admin.post(presets, { ...heading, is_default: true }).expect(201);
    await uninstall();
    expect((await rescan()).removed).to.deep.equal(['pagebuilder']);
    expect(await refusal(admin.get(presets))).to.equal(absent);
    expect(await refusal(admin.get(`${presets}/${made.id}`))).to.equal(absent);
    expect((await condition()).conditions[0].met).to.equal(false);
    await install();
    await rescan();
    expect((await admin.get(presets).expect(200)).body).to.deep.equal([made]);
  });

  it('comes and goes with what happens in the watched folder', async function () {
    this.timeout(60_000);
    await start(true);
    const until = async (expected: string): Promise<void> => {
      while ((await refusal(admin.get(presets))) !== expected) await new Promise(setImmediate);
    };
    await install();
    await until('200 undefined');
    await admin.post(presets, heading).expect(201);
    await uninstall();
    await until(absent);
    await install();
    await until('200 undefined');
    expect((await admin.get(presets).expect(200)).body).to.have.length(1);
  });

  it('is asked for by each site, where the module may be off', async () => {
    await start(false);
    await install();
    await rescan();
    const site = await lyceum.make.site();
    const there = lyceum.as(await lyceum.make.user({ role: 'administrator', site: site.blog_id }), site);
    await there.put(own, { enabled: false, scope: 'site' }).expect(200);
    expect(await refusal(there.get(presets))).to.equal(absent);
    await admin.get(presets).expect(200);
  });
});
