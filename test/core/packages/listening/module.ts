import { defineMigration, defineModule, fail, type ListenerTools, on, type Post, yup } from '@lyceum/core';

declare module '@lyceum/core' {
  interface NoticeKinds {
    'test_listening.heard': { readonly postId: number };
  }
}

const createHeard = defineMigration({
  id: '001-heard',
  up: async (trx) => {
    await trx.raw(
      'create table test_heard (id integer generated always as identity, kind text, post_id integer, user_id integer, more jsonb)',
    );
  },
});

const hear = (kind: string, post: Post | null, { trx, actor }: ListenerTools, more: unknown = null) =>
  trx('test_heard').insert({
    kind,
    post_id: post?.id ?? null,
    user_id: actor.user?.id ?? null,
    more: JSON.stringify(more),
  });

/** Writes down what it hears, refuses what it was told to, and passes one notice on. */
export default defineModule({
  id: 'test_listening',
  title: 'Listening',
  defaultEnabled: true,
  settings: { forbidden_title: { schema: yup.string().defined(), default: 'forbidden', scope: 'site' } },
  migrations: [createHeard],
  errors: { test_title_forbidden: { status: 409, message: 'Nobody may call it that.' } },
  errorsElsewhere: {
    'host.create-post': ['test_title_forbidden'],
    'host.change-post': ['test_title_forbidden'],
  },
  listeners: [
    on('post.writing', async ({ before, after }, tools) => {
      await hear('writing', after, tools, { before: before?.title ?? null, after: after.title });
      if (after.title === (await tools.setting<string>('forbidden_title'))) {
        fail('test_title_forbidden', { data: { title: after.title } });
      }
    }),
    on('post.trashed', async ({ post }, tools) => {
      await hear('trashed', post, tools);
      await tools.send({ kind: 'test_listening.heard', postId: post.id });
    }),
    on('test_listening.heard', async ({ postId }, tools) => {
      await hear('heard', null, tools, { postId });
    }),
    on('post.restored', async ({ post }, tools) => void (await hear('restored', post, tools, post.status))),
    on('post.deleted', async ({ post }, tools) => {
      const left = await tools.trx('posts').where({ id: post.id });
      await hear('deleted', post, tools, { left: left.length });
    }),
    on('term.deleted', async ({ term }, tools) => void (await hear('term', null, tools, term.id))),
  ],
});
