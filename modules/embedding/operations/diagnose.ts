import { type Call, Database, defineOperation, presentJob, SettingsService, yup } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';
import { checksOf } from '../diagnosis/checks.ts';
import { reportProvider } from '../diagnosis/provider-report.ts';
import { Embedders } from '../embedders.ts';
import { countPosts } from '../posts/post-state-store.ts';
import { lastSync, runningSync } from '../posts/sync-job-store.ts';
import { embedderKey, readWish, recipeOf, type SiteWish } from '../site-wish.ts';
import { DiagnosisRecord } from './diagnosis-record.ts';

export const diagnose = defineOperation({
  id: 'embedding.diagnose',
  method: 'POST',
  path: 'svctutor/embedding/v1/diagnostics',
  summary: 'What is well and what is not with the store of the site and its provider',
  description: 'With `probe` one short text is embedded; that may take 10 s. Never a key or a whole address.',
  access: { can: 'manage_options' },
  contract: true,
  input: { body: yup.object({ probe: yup.boolean().default(true) }) },
  output: DiagnosisRecord,
  handle: async ({ body }, call) => {
    const wish = readWish(call.get(SettingsService), call.state);
    const { signal, state } = call;
    const [store, provider, jobs] = await Promise.all([
      findStore(call, wish),
      reportProvider((token) => call.get(token), { wish, state, probe: body.probe, signal }),
      jobsOf(call),
    ]);
    const { retrievalOn, chunks, posts, ...shown } = store;
    const checks = checksOf({
      retrievalOn,
      storeExists: shown.available,
      backend: shown.backend,
      configured: provider.configured,
      reachable: provider.reachable,
      storeDimensions: shown.stale ? null : shown.dimensions,
      providerDimensions: provider.dimensions,
      brokenChunks: chunks.error,
      waitingChunks: chunks.pending + chunks.indexing,
      changedPosts: posts.changed,
      stale: shown.stale,
    });
    return { available: retrievalOn, store: shown, provider, chunks, posts, ...jobs, checks };
  },
});

async function jobsOf(call: Call) {
  const { knex } = call.get(Database);
  const { blog_id } = call.site;
  const [last, running] = await Promise.all([lastSync(knex, blog_id), runningSync(knex, blog_id)]);
  return { last_sync: last && presentJob(last), running };
}

const noChunks = { total: 0, pending: 0, active: 0, indexing: 0, error: 0 };

/** Nothing of the store is read where retrieval is off. */
async function findStore(call: Call, wish: SiteWish) {
  const { blog_id: blogId } = call.site;
  const retrievalOn = call.state.isOn('rag');
  const chunks = call.get(ChunkStore);
  const [store, { backend, version }] = await Promise.all([
    retrievalOn ? chunks.find(blogId) : null,
    chunks.backend(),
  ]);
  const recipe = recipeOf(wish, call.get(Embedders).isInstalled(wish));
  const scope = { blogId, postTypes: wish.postTypes, postIds: null };
  const posts = retrievalOn
    ? await countPosts(call.get(Database).knex, scope, recipe)
    : { eligible: 0, chunked: 0, changed: 0 };
  return {
    retrievalOn,
    available: store !== null,
    backend: retrievalOn ? backend : null,
    extension_version: retrievalOn ? version : null,
    embedder: store?.embedder ?? null,
    dimensions: store?.dimensions ?? null,
    stale: store !== null && (store.recipe !== recipe || store.asked !== embedderKey(wish)),
    chunks: store ? await chunks.counts(blogId) : noChunks,
    posts,
  };
}
