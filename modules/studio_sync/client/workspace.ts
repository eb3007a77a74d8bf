import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { connect, type Item, StudioClient, StudioError } from './studio-client.ts';
import {
  forgetState,
  type KnownDocument,
  readState,
  replaceFile,
  textOf,
  type WorkspaceState,
  writeState,
} from './workspace-file.ts';

/** What became of a document. */
export interface Outcome {
  readonly path: string;
  readonly what: 'pulled' | 'pushed' | 'conflict' | 'refused';
  /** Why it was refused, or where the site's text lies. */
  readonly more: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The name comes from the site: it becomes no more than a name. */
function pathFor({ post_type, post_id, slug, editor }: Item): string {
  const plain = (word: string): string => word.replaceAll(/[^a-z0-9-]/g, '').slice(0, 80);
  const kind = editor === 'pagebuilder' ? 'json' : 'html';
  return `${plain(post_type)}/${post_id}-${plain(slug)}.${kind}`;
}

/** Texts of a site as files in a folder, each with the state of the site on which it is based. */
export class Workspace {
  readonly #folder: string;
  readonly #client: StudioClient;
  #state: WorkspaceState;

  private constructor(folder: string, state: WorkspaceState) {
    this.#folder = folder;
    this.#state = state;
    this.#client = new StudioClient(state.api_url, state.access_token);
  }

  static async connect(
    folder: string,
    connectUrl: string,
    token: string,
    device: string,
  ): Promise<Workspace> {
    const { connection_id, access_token, site } = await connect(connectUrl, token, device);
    const state = { api_url: site.api_url, access_token, connection_id, documents: {} };
    await writeState(folder, state);
    return new Workspace(folder, state);
  }

  static async open(folder: string): Promise<Workspace> {
    return new Workspace(folder, await readState(folder));
  }

  /** Brings what changed on the site; a file that was edited here stays, and the site's text is put beside it. */
  async pull(types: readonly string[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const item of await this.#client.items(types)) {
      const known = this.#state.documents[item.post_id];
      if (known && (known.base === item.hash || known.theirs === item.hash)) continue;
      const file = known?.path ?? pathFor(item);
      const text = await textOf(path.join(this.#folder, file));
      const edited = text !== null && hashOf(text) !== known?.base;
      if (known && edited) outcomes.push(await this.#conflict(item.post_id, known));
      else {
        const { content, hash } = await this.#client.read(item.post_id);
        await replaceFile(path.join(this.#folder, file), content);
        await this.#remember(item.post_id, { path: file, base: hash, theirs: null });
        outcomes.push({ path: file, what: 'pulled', more: hash });
      }
    }
    return outcomes;
  }

  /** Sends what was edited here; where the site changed meanwhile its text is put beside the file instead. */
  async push(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [postId, known] of Object.entries(this.#state.documents)) {
      const text = await textOf(path.join(this.#folder, known.path));
      if (text === null || hashOf(text) === known.base) continue;
      outcomes.push(await this.#send(Number(postId), known, text));
    }
    return outcomes;
  }

  /** The conflict was looked at: the next push of the file writes over the site's text that lies beside it. */
  async resolve(file: string): Promise<void> {
    const found = Object.entries(this.#state.documents).find(([, known]) => known.path === file);
    const theirs = found?.[1].theirs;
    if (!found || !theirs) throw new Error(`${file} has no conflict.`);
    await this.#remember(Number(found[0]), { path: file, base: theirs, theirs: null });
    await rm(path.join(this.#folder, `${file}.theirs`), { force: true });
  }

  /** Ends the connection and forgets the site; the files stay. */
  async disconnect(): Promise<void> {
    await this.#client.disconnect(this.#state.connection_id);
    await forgetState(this.#folder);
  }

  async #send(postId: number, known: KnownDocument, text: string): Promise<Outcome> {
    try {
      const { item } = await this.#client.write(postId, known.base, text);
      await this.#remember(postId, { path: known.path, base: item.hash, theirs: null });
      await rm(path.join(this.#folder, `${known.path}.theirs`), { force: true });
      return { path: known.path, what: 'pushed', more: item.hash };
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      if (error.code === 'studio_sync_conflict') return this.#conflict(postId, known);
      if (error.status === 401 || error.code === 'studio_sync_connection_revoked') throw error;
      const problems = Array.isArray(error.data.problems) ? ` ${JSON.stringify(error.data.problems)}` : '';
      return { path: known.path, what: 'refused', more: `${error.code}: ${error.message}${problems}` };
    }
  }

  async #conflict(postId: number, known: KnownDocument): Promise<Outcome> {
    const { content, hash } = await this.#client.read(postId);
    const beside = `${known.path}.theirs`;
    await replaceFile(path.join(this.#folder, beside), content);
    await this.#remember(postId, { ...known, theirs: hash });
    return { path: known.path, what: 'conflict', more: beside };
  }

  /** After each document, so that a client that is ended knows what it has. */
  async #remember(postId: number, document: KnownDocument): Promise<void> {
    const documents = { ...this.#state.documents, [postId]: document };
    this.#state = { ...this.#state, documents };
    await writeState(this.#folder, this.#state);
  }
}
