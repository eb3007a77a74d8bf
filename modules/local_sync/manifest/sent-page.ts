import { createHash } from 'node:crypto';
import { type Editor, maxSlug, type PostFields, sanitizeSlug } from '@lyceum/core';
import type { PageEntry } from './entries.ts';

/** A page as the client has it. */
export interface SentPage {
  readonly key: string;
  readonly hash: string;
  readonly title: string;
  /** What it shall have as slug. */
  readonly slug: string;
  /** The client named the slug; else it was made of the title, and may get a number among the project's own. */
  readonly slugAsked: boolean;
  readonly postType: string;
  readonly status: NonNullable<PostFields['status']>;
  readonly parent: string | null;
  readonly menuOrder: number;
  readonly editor: Editor;
  readonly content: string | null;
  readonly fieldsHash: string;
}

export function sentPage(entry: PageEntry): SentPage {
  const asked = sanitizeSlug(entry.slug ?? '', maxSlug);
  const slug = asked || sanitizeSlug(entry.title, maxSlug) || sanitizeSlug(entry.key, maxSlug);
  return {
    key: entry.key,
    hash: entry.hash,
    title: entry.title,
    slug,
    slugAsked: asked !== '',
    postType: entry.post_type,
    status: entry.status,
    parent: entry.parent,
    menuOrder: entry.menu_order,
    editor: entry.editor,
    content: entry.content ?? null,
    fieldsHash: fieldsHash(entry),
  };
}

/** Says whether anything but the document differs from what the client sent before. */
function fieldsHash({ title, slug, post_type, status, parent, menu_order }: PageEntry): string {
  const fields = JSON.stringify([title, slug ?? null, post_type, status, parent, menu_order]);
  return createHash('sha256').update(fields).digest('hex');
}
