import path from 'node:path';
import { Readable } from 'node:stream';
import { Storage, StorageFull } from '@lyceum/core';
import { runSchedule, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PostKit } from './post-kit.ts';

/** Stands between the host and its file storage: copies of files wait for what the test does meanwhile, or fail. */
class StorageGate {
  /** Done before a file is copied, with its number from 1; what it throws the storage throws. */
  before: (number: number) => Promise<void> | void = () => undefined;
  copies = 0;

  constructor(lyceum: TestHost) {
    const storage = lyceum.host.services.host(Storage);
    const copy = storage.copy.bind(storage);
    storage.copy = async (from, to) => {
      this.copies += 1;
      await this.before(this.copies);
      await copy(from, to);
    };
  }
}

describe('post_duplicator: files of copies', () => {
  let lyceum: TestHost;
  let kit: PostKit;
  let there: TestSite;
  let gate: StorageGate;
  let time: number;

  beforeEach(async () => {
    time = Date.now();
    lyceum = await startTestHost({
      modules: ['post_duplicator', 'lms', 'test_cards'],
      folders: [path.join(import.meta.dirname, 'packages')],
      now: () => new Date(time),
    });
    kit = new PostKit(lyceum, await lyceum.make.admin());
    there = await lyceum.make.site();
    gate = new StorageGate(lyceum);
  });
  afterEach(() => lyceum.stop());

  const target = () => ({ target_blog_id: there.blog_id });

  /** A page with two files of 100 bytes that belong to it. */
  async function pageWithFiles() {
    const page = await kit.create({ type: 'page', title: 'Files' });
    for (const name of ['one', 'two']) {
      await kit.media(`${name}.txt`, { parent_id: page.id }, undefined, Buffer.from(name.padEnd(100)));
    }
    return page;
  }

  /** Nothing but the page and its files is there. */
  async function expectNothing(keys: readonly string[]): Promise<void> {
    expect(await kit.keys()).to.deep.equal(keys);
    expect(await lyceum.host.db.knex('posts').where('blog_id', there.blog_id)).to.deep.equal([]);
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);
    expect(await lyceum.host.db.knex('audit_log').where('action', 'post.duplicate')).to.deep.equal([]);
  }

  it('are gone when the storage fails; a batch goes on with the next copy', async () => {
    const page = await pageWithFiles();
    const keys = await kit.keys();
    gate.before = (number) => {
      if (number % 2 === 0) throw new Error('The disk is broken.');
    };
    const { body } = await kit.duplicate(page.id, target()).expect(503);
    expect(body.code).to.equal('storage_unavailable');
    await expectNothing(keys);
    gate.before = (number) => {
      if (number === 4) throw new StorageFull('No room.');
    };
    const batch = await kit.batch(page.id, { blog_ids: [there.blog_id], count: 3 }).expect(200);
    expect(batch.body.failed.map(({ code }: { code: string }) => code)).to.deep.equal([
      'storage_unavailable',
    ]);
    expect(batch.body.succeeded).to.have.length(2);
    expect(await kit.attachments(there)).to.have.length(2);
    expect(await kit.keys()).to.have.length(keys.length + 2);
  });

  it('fit into the space of the target, all of them or none', async () => {
    const page = await pageWithFiles();
    const keys = await kit.keys();
    const settings = (upload_space_bytes: number) => lyceum.make.settings('host', { upload_space_bytes });
    for (const bytes of [99, 150]) {
      await settings(bytes);
      const { body } = await kit.duplicate(page.id, target()).expect(413);
      expect(body.code).to.equal('media_quota_exceeded');
      const { failed } = (await kit.batch(page.id, { blog_ids: [there.blog_id] }).expect(200)).body;
      expect(failed).to.have.length(1);
      expect(failed[0].code).to.equal('media_quota_exceeded');
      await expectNothing(keys);
    }
    await settings(400);
    const answers = await Promise.all([1, 2, 3].map(() => kit.duplicate(page.id, target())));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 201, 413]);
    expect(await kit.keys()).to.have.length(keys.length + 4);
    const { body } = await kit.duplicate(page.id, { copy_attachments: true }).expect(201);
    expect(body.attachments).to.equal(2);
  });

  it('are gone when the source goes while they are copied, or the target', async () => {
    const page = await pageWithFiles();
    const keys = await kit.keys();
    gate.before = async (number) => {
      if (number === 2) await kit.on().delete(`svc/host/v1/posts/${page.id}`).expect(200);
    };
    expect((await kit.duplicate(page.id, target()).expect(404)).body.code).to.equal('post_not_found');
    await expectNothing(keys);
    await kit.on().patch(`svc/host/v1/posts/${page.id}`, { status: 'draft' }).expect(200);
    gate.before = async () => {
      await lyceum.host.db.knex('sites').where('blog_id', there.blog_id).update({ state: 'removed' });
    };
    expect((await kit.duplicate(page.id, target()).expect(404)).body.code).to.equal('unknown_blog');
    await expectNothing(keys);
  });

  it('keep nobody waiting who copies to the same site', async () => {
    const page = await pageWithFiles();
    const plain = await kit.create({ type: 'page', title: 'Plain' });
    let made: unknown = null;
    gate.before = async (number) => {
      if (number === 1) made = await kit.copy(plain.id, target());
    };
    await kit.copy(page.id, target());
    expect(made).to.deep.include({ slug: 'plain' });
  });

  it('leave children behind that went to the trash, or elsewhere, meanwhile', async () => {
    const page = await pageWithFiles();
    const below = async (title: string, parent_id: number) =>
      (await kit.create({ type: 'page', title, parent_id })).id;
    const [trashed, moved] = [await below('Trashed', page.id), await below('Moved', page.id)];
    await below('Below trashed', trashed);
    await below('Stays', page.id);
    gate.before = async () => {
      await kit.on().delete(`svc/host/v1/posts/${trashed}`);
      await kit.on().patch(`svc/host/v1/posts/${moved}`, { parent_id: 0 });
    };
    expect(await kit.copy(page.id, { ...target(), copy_children: true })).to.deep.include({ children: 1 });
  });

  it('that a lost process left are swept up after an hour, where another may still be at work', async () => {
    const page = await pageWithFiles();
    const keys = await kit.keys();
    let left: readonly unknown[] = [];
    gate.before = async (number) => {
      if (number !== 2) return;
      left = await lyceum.host.db.knex('unclaimed_files').select();
      await runSchedule(lyceum, 'host.sweep-copies');
    };
    await kit.copy(page.id, target());
    expect(left).to.have.length(2);
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);

    const key = `sites/${there.blog_id}/media/lost/lost.txt`;
    const storage = lyceum.host.services.host(Storage);
    await storage.write(key, Readable.from([Buffer.from('x')]), { limit: 1, contentType: 'text/plain' });
    const [copied] = await lyceum.host.db
      .knex('attachments')
      .where('blog_id', there.blog_id)
      .pluck('file_key');
    await lyceum.host.db.knex('unclaimed_files').insert([{ file_key: key }, { file_key: copied }]);
    await runSchedule(lyceum, 'host.sweep-copies');
    expect(await kit.keys()).to.include(key);
    time += 3_700_000;
    await runSchedule(lyceum, 'host.sweep-copies');
    expect(await kit.keys())
      .to.have.length(keys.length + 2)
      .and.to.include(copied)
      .and.not.to.include(key);
    expect(await lyceum.host.db.knex('unclaimed_files')).to.deep.equal([]);
  });

  it('tell modules of the copy, which take along what they keep beside the record', async () => {
    const card = await kit.create({ type: 'test_card', title: 'Bound' });
    const { knex } = lyceum.host.db;
    await knex('test_card_bindings').insert({ card_id: card.id, blog_id: 1, name: 'bound' });
    const copy = await kit.copy(card.id);
    await kit.copy(card.id, target());
    expect(await knex('test_card_bindings').whereNot('card_id', card.id)).to.deep.equal([
      { card_id: copy.post_id, blog_id: 1, name: 'bound' },
    ]);
  });
});
