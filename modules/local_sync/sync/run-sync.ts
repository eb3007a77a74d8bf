import { randomUUID } from 'node:crypto';
import { audit, type Call, Database } from '@lyceum/core';
import { readContents } from '../manifest/contents.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { FileResult } from '../plan/file-result.ts';
import type { PageResult } from '../plan/page-result.ts';
import { missingResult, planSync } from '../plan/plan-sync.ts';
import { resultOf } from '../plan/planned-page.ts';
import { type Summary, summaryOf } from '../plan/summary.ts';
import { ProjectStore } from '../stores/project-store.ts';
import { PageWriter } from './page-writer.ts';
import { planFiles, storeFiles } from './project-files.ts';
import { removePage } from './remove-page.ts';
import { aloneWith, inTurn, type Turn } from './turn.ts';

/** What a sync answers, and a plan. */
export interface SyncAnswer {
  readonly project: string;
  readonly blog_id: number;
  readonly dry_run: boolean;
  readonly sync_id: string | null;
  readonly pages: readonly PageResult[];
  readonly files: readonly FileResult[];
  readonly summary: Summary;
}

/** What would be done. Writes nothing, takes no lock and waits for nobody. */
export async function runPlan(call: Call, manifest: Manifest): Promise<SyncAnswer> {
  const { knex } = call.get(Database);
  const contents = await readContents(manifest.pages, call.signal);
  const found = await call.get(ProjectStore).find(knex, call.site.blog_id, manifest.project);
  const projectId = found?.project_id ?? null;
  const { files, coming, results } = await planFiles(call, manifest, projectId, contents.named);
  const plan = await planSync(call, { manifest, contents, projectId, files, coming });
  const pages = [
    ...inOrder(manifest, plan.pages.map(resultOf)),
    ...plan.missing.map((noted) => missingResult(noted, manifest.overwrite)),
  ];
  return answerOf(call, manifest, null, pages, results);
}

/** Does it: files, then pages, parents before children, then those that are gone. @throws `local_sync_busy` */
export function runSync(call: Call, manifest: Manifest): Promise<SyncAnswer> {
  return aloneWith(call, manifest.project, async () => {
    const { knex } = call.get(Database);
    const contents = await readContents(manifest.pages, call.signal);
    const syncId = randomUUID();
    const { project: word, name } = manifest;
    const wanted = { blogId: call.site.blog_id, project: word, name, syncId };
    const turn: Turn = { project: await call.get(ProjectStore).beginTurn(knex, wanted), syncId };
    const { files, results } = await storeFiles(call, turn, manifest, contents.named);
    const { project_id: projectId } = turn.project;
    const plan = await planSync(call, { manifest, contents, projectId, files, coming: [] });
    const writer = new PageWriter(call, turn, manifest.overwrite);
    const written: PageResult[] = [];
    for (const planned of plan.pages) written.push(await writer.write(planned));
    const gone: PageResult[] = [];
    for (const noted of plan.missing) {
      gone.push(await inTurn(call, turn, (trx) => removePage(trx, call, turn, noted, manifest.overwrite)));
    }
    const pages = [...inOrder(manifest, written), ...gone];
    const answer = answerOf(call, manifest, syncId, pages, results);
    await inTurn(call, turn, (trx) => finish(trx, call, turn, answer));
    return answer;
  });
}

type Transaction = Parameters<Parameters<typeof inTurn>[2]>[0];

async function finish(trx: Transaction, call: Call, turn: Turn, { summary }: SyncAnswer): Promise<void> {
  const { project, syncId } = turn;
  await call.get(ProjectStore).endTurn(trx, project.project_id, syncId, summary);
  await audit(trx, call, {
    module: 'local_sync',
    action: 'local_sync.sync',
    subject: `local_project:${project.project_id}`,
    to: { project: project.project, sync_id: syncId, summary },
  });
}

/** In the order of the manifest; pages that it does not have come after. */
function inOrder(manifest: Manifest, results: readonly PageResult[]): PageResult[] {
  const byKey = new Map(results.map((result) => [result.key, result]));
  const listed = new Set(manifest.pages.map(({ key }) => key));
  return [
    ...manifest.pages.flatMap(({ key }) => byKey.get(key) ?? []),
    ...results.filter(({ key }) => !listed.has(key)),
  ];
}

const answerOf = (
  call: Call,
  manifest: Manifest,
  syncId: string | null,
  pages: readonly PageResult[],
  files: readonly FileResult[],
): SyncAnswer => ({
  project: manifest.project,
  blog_id: call.site.blog_id,
  dry_run: manifest.dryRun,
  sync_id: syncId,
  pages,
  files,
  summary: summaryOf(pages, files),
});
