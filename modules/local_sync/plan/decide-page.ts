/** What is done with a page, and why where that is not plain. */
export type Action = 'create' | 'update' | 'unchanged' | 'conflict';
export type Reason =
  | 'slug_taken'
  | 'missing_on_site'
  | 'fields'
  | 'file'
  | 'content'
  | 'changed_on_site'
  | 'same_content'
  | 'both_changed'
  | 'overwrite';

/** What was noted of a page when it was synced last. */
export interface Noted {
  readonly source_hash: string;
  readonly document_hash: string;
  readonly fields_hash: string;
  readonly editor: string;
}

/** Another post of the type, outside of the trash, that has the slug. */
export interface SlugHolder {
  readonly id: number;
  /** No page of the project is noted with it. */
  readonly outside: boolean;
}

export interface PageFacts {
  readonly noted: Noted | null;
  /** Of the document as it is; null where the noted post is gone or in the trash. */
  readonly currentHash: string | null;
  readonly sent: {
    readonly hash: string;
    readonly fieldsHash: string;
    readonly editor: string;
    readonly slugAsked: boolean;
    /** What the document would be; null where the content is not at hand. */
    readonly documentHash: string | null;
  };
  readonly holder: SlugHolder | null;
  /** A file that the document names has another content now. */
  readonly fileChanged: boolean;
  /** Its parent is another post than the one that it was put under. */
  readonly parentMoved: boolean;
  readonly overwrite: boolean;
}

export interface Decision {
  readonly action: Action;
  readonly reason: Reason | null;
  readonly writes: 'nothing' | 'note' | 'fields' | 'document' | 'both';
  /** The post that becomes the page's; null where it has its own, or gets a new one. */
  readonly adopts: number | null;
}

const leave = (action: 'unchanged' | 'conflict', reason: Reason | null): Decision => ({
  action,
  reason,
  writes: 'nothing',
  adopts: null,
});

/** The whole table of cases. The same for a plan, and again under the lock of the post when it is carried out. */
export function decidePage(facts: PageFacts): Decision {
  const { noted, currentHash, sent, holder, fileChanged, overwrite } = facts;
  if (noted === null || currentHash === null) return appear(facts);
  const clientChanged = sent.hash !== noted.source_hash || sent.editor !== noted.editor;
  const siteChanged = currentHash !== noted.document_hash;
  const fields = sent.fieldsHash !== noted.fields_hash || facts.parentMoved;
  const write = (reason: Reason, document: boolean, withFields: boolean): Decision => {
    if (withFields && holder && sent.slugAsked) return leave('conflict', 'slug_taken');
    const writes = document ? (withFields ? 'both' : 'document') : 'fields';
    return { action: 'update', reason, writes, adopts: null };
  };
  if (!clientChanged) {
    if (siteChanged) return leave('unchanged', 'changed_on_site');
    if (fields) return write('fields', fileChanged, true);
    return fileChanged ? write('file', true, false) : leave('unchanged', null);
  }
  if (!siteChanged) return write('content', true, fields);
  if (sent.documentHash === currentHash) return { ...leave('unchanged', 'same_content'), writes: 'note' };
  return overwrite ? write('overwrite', true, true) : leave('conflict', 'both_changed');
}

/** A page that the site does not have, or not any more. */
function appear({ noted, holder, sent, overwrite }: PageFacts): Decision {
  if (holder?.outside) {
    return overwrite
      ? { action: 'update', reason: 'slug_taken', writes: 'both', adopts: holder.id }
      : leave('conflict', 'slug_taken');
  }
  if (holder && sent.slugAsked) return leave('conflict', 'slug_taken');
  return { action: 'create', reason: noted ? 'missing_on_site' : null, writes: 'both', adopts: null };
}
