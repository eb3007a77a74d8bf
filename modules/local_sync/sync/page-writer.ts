import {
  type Call,
  callerOf,
  documentHash,
  documentText,
  ErrorMapper,
  HostSettings,
  isCoded,
  type Post,
  type PostFields,
  Posts,
  type RevisionOrigin,
  Revisions,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { type ItemError, itemError } from '../item-errors.ts';
import { type Decision, decidePage } from '../plan/decide-page.ts';
import type { PageResult } from '../plan/page-result.ts';
import { type PlannedPage, resultOf, writesDocument, writesFields } from '../plan/planned-page.ts';
import { PageStore, type SlugPost } from '../stores/page-store.ts';
import { makeWay } from './make-way.ts';
import { type PageText, pageText } from './page-text.ts';
import { removePage } from './remove-page.ts';
import { revisionsKept } from './revisions-kept.ts';
import { inTurn, type Turn } from './turn.ts';

/** Somebody took the slug between the look and the write: all of the page is undone. */
class SlugLost extends Error {}

/** The page as it is written: under the lock of its post, and decided anew from that. */
interface Writing {
  readonly trx: Knex.Transaction;
  readonly planned: PlannedPage;
  readonly decision: Decision;
  readonly parentId: number;
  readonly post: Post | null;
  readonly holder: SlugPost | null;
  readonly text: PageText | null;
}

/** Carries out what was planned for pages, each in a transaction of its own. */
export class PageWriter {
  readonly #call: Call;
  readonly #turn: Turn;
  readonly #overwrite: boolean;
  /** Posts of pages that were looked at before. */
  readonly #posts = new Map<string, number>();

  constructor(call: Call, turn: Turn, overwrite: boolean) {
    this.#call = call;
    this.#turn = turn;
    this.#overwrite = overwrite;
  }

  async write(planned: PlannedPage): Promise<PageResult> {
    const result = await this.#outcome(planned);
    if (result.post_id !== null) this.#posts.set(result.key, result.post_id);
    return result;
  }

  async #outcome(planned: PlannedPage): Promise<PageResult> {
    const { decision } = planned;
    if (!decision || decision.writes === 'nothing') return resultOf(planned);
    if (planned.needsContent) return this.#failed(planned, itemError('content_required'));
    const parentId = this.#parentId(planned);
    if (parentId === null) return this.#failed(planned, itemError('parent_failed'));
    try {
      return await inTurn(this.#call, this.#turn, (trx) => this.#decideAndWrite(trx, planned, parentId));
    } catch (error) {
      if (error instanceof SlugLost) {
        const lost = { action: 'conflict', reason: 'slug_taken', writes: 'nothing', adopts: null } as const;
        return resultOf({ ...planned, decision: lost });
      }
      if (isCoded(error, 'local_sync_busy')) throw error;
      const told = this.#told(error);
      if (told === null) throw error;
      return this.#failed(planned, told);
    }
  }

  #failed(planned: PlannedPage, error: ItemError): PageResult {
    return { ...resultOf({ ...planned, decision: null }), error };
  }

  /** What the host or another module has against the page; null where that is no matter of one page. */
  #told(error: unknown): ItemError | null {
    if (!isCoded(error)) return null;
    const { params } = error.data as { readonly params?: Readonly<Record<string, unknown>> };
    if (params && Object.hasOwn(params, 'parent_id')) return itemError('parent_cycle');
    return this.#call.get(ErrorMapper).describe(error);
  }

  /** 0 for none; null where the parent was to be made and was not. */
  #parentId({ page, parent }: PlannedPage): number | null {
    if (parent === null) return 0;
    const written = page.parent === null ? undefined : this.#posts.get(page.parent);
    return written ?? (parent === 'made' ? null : parent);
  }

  async #decideAndWrite(trx: Knex.Transaction, planned: PlannedPage, parentId: number): Promise<PageResult> {
    const { page, noted } = planned;
    const pages = this.#call.get(PageStore);
    const { blog_id } = this.#call.site;
    const { project_id } = this.#turn.project;
    const post = noted && (await this.#lock(trx, noted.post_id));
    const [taken] = await pages.bySlug(trx, { blogId: blog_id, projectId: project_id }, [
      { type: page.postType, slug: page.slug },
    ]);
    const holder = taken && taken.id !== post?.id ? taken : null;
    const text = await this.#text(trx, planned);
    const decision = decidePage({
      noted,
      currentHash: post?.hash ?? null,
      sent: { ...page, documentHash: text ? documentHash(text.document) : page.hash },
      holder:
        holder && holder.status !== 'trash' && !this.#isLeaving(planned, holder)
          ? { id: holder.id, outside: holder.key === null }
          : null,
      fileChanged: noted?.file_changed ?? false,
      parentMoved: noted !== null && parentId !== noted.parent_id,
      overwrite: this.#overwrite,
    });
    if (decision.writes === 'nothing') return resultOf({ ...planned, decision });
    if (writesDocument(decision) && text === null) {
      return this.#failed(planned, itemError('content_required'));
    }
    const writing = { trx, planned, decision, parentId, post, holder, text };
    const written = await this.#carryOut(writing);
    await this.#note(writing, written);
    const { hash } = decision.writes === 'fields' && noted ? { hash: noted.document_hash } : written;
    return { ...resultOf({ ...planned, decision }), post_id: written.id, document_hash: hash };
  }

  async #lock(trx: Knex.Transaction, id: number): Promise<Post | null> {
    const post = await this.#call.get(Posts).lock(trx, this.#call.site.blog_id, id);
    return post?.status === 'trash' ? null : post;
  }

  /** The text of the page where it is at hand: as it was sent, or stored. Null where only fields are to be written. */
  async #text(trx: Knex.Transaction, { page, noted, decision }: PlannedPage): Promise<PageText | null> {
    const { project_id } = this.#turn.project;
    let source = page.content;
    if (source === null && noted?.source_hash === page.hash && decision && writesDocument(decision)) {
      source = await this.#call.get(PageStore).source(trx, project_id, page.key);
    }
    return source === null ? null : pageText(trx, this.#call, project_id, page.editor, source);
  }

  async #carryOut(writing: Writing): Promise<Post> {
    const { trx, planned, decision, post, holder } = writing;
    const { page } = planned;
    if (decision.writes === 'note' && post) return post;
    if (holder && (decision.action === 'create' || page.slugAsked)) {
      await makeWay(trx, this.#call, await this.#trashed(trx, planned, holder));
    }
    if (decision.action === 'create') return this.#create(writing);
    const target = decision.adopts === null ? post : await this.#lock(trx, decision.adopts);
    if (!target) throw new SlugLost();
    return this.#update(writing, target);
  }

  #isLeaving({ replaces }: PlannedPage, { key }: SlugPost): boolean {
    return replaces !== null && replaces.key === key;
  }

  /** A page that goes in this sync goes now where another one takes its slug: the site has one of them at any time. */
  async #trashed(trx: Knex.Transaction, planned: PlannedPage, holder: SlugPost): Promise<SlugPost> {
    if (!planned.replaces || !this.#isLeaving(planned, holder)) return holder;
    const gone = await removePage(trx, this.#call, this.#turn, planned.replaces, this.#overwrite);
    if (gone.action === 'conflict') throw new SlugLost();
    return { ...holder, status: 'trash' };
  }

  async #create({ trx, planned, parentId, text }: Writing): Promise<Post> {
    const { page } = planned;
    const call = this.#call;
    const content = text?.document ?? '';
    const key = page.editor === 'pagebuilder' ? 'pagebuilder_data' : 'turbo_html';
    const document =
      page.editor === 'block'
        ? { content, meta: { editor: 'block' } }
        : { meta: { editor: page.editor, [key]: content } };
    const post = await call.get(Posts).create(trx, call, {
      ...this.#fields(planned, parentId),
      ...document,
      slug: page.slug,
      type: page.postType,
      author_id: callerOf(call).id,
      lang: call.get(HostSettings).value<string>(call.state, 'default_lang'),
    });
    if (page.slugAsked && post.slug !== page.slug) throw new SlugLost();
    await call.get(Revisions).keep(trx, post, this.#origin());
    return post;
  }

  async #update({ trx, planned, decision, parentId, text }: Writing, post: Post): Promise<Post> {
    const { page } = planned;
    const call = this.#call;
    const withFields = writesFields(decision);
    const of = withFields ? await call.get(Posts).retype(trx, call, post, page.postType) : post;
    const slug = withFields && page.slugAsked && of.slug !== page.slug ? { slug: page.slug } : {};
    const fields = withFields ? { ...this.#fields(planned, parentId), ...slug } : {};
    const document =
      writesDocument(decision) && text ? { content: text.document, editor: page.editor } : { content: null };
    const written = await call.get(Revisions).write(trx, call, of, { ...document, fields }, this.#origin());
    if (withFields && page.slugAsked && written.post.slug !== page.slug) throw new SlugLost();
    return written.post;
  }

  #fields(
    { page }: PlannedPage,
    parentId: number,
  ): Pick<PostFields, 'title' | 'status' | 'parent_id' | 'menu_order'> {
    return { title: page.title, status: page.status, parent_id: parentId, menu_order: page.menuOrder };
  }

  #origin(): RevisionOrigin {
    const userId = callerOf(this.#call).id;
    return { source: 'local', userId, connectionId: null, keep: revisionsKept(this.#call) };
  }

  async #note({ trx, planned, decision, parentId, text }: Writing, post: Post): Promise<void> {
    const { page, noted } = planned;
    const { project_id } = this.#turn.project;
    const fields = writesFields(decision) || !noted;
    const document = decision.writes !== 'fields' || !noted;
    // Where the content was not sent, but is what the site has, it is what the site has.
    const source = document ? (text?.source ?? documentText(post)) : null;
    await this.#call.get(PageStore).note(
      trx,
      {
        project_id,
        blog_id: this.#call.site.blog_id,
        key: page.key,
        post_id: post.id,
        parent_id: fields ? parentId : noted.parent_id,
        post_type: post.type,
        slug: post.slug,
        editor: document ? page.editor : noted.editor,
        source,
        source_hash: document ? page.hash : noted.source_hash,
        document_hash: document ? post.hash : noted.document_hash,
        fields_hash: fields ? page.fieldsHash : noted.fields_hash,
      },
      document ? (text?.files ?? []) : null,
    );
  }
}
