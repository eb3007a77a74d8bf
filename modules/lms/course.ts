import type { ListedPost, MetaValues, PostStatus } from '@lyceum/core';

/** The post type of course records. */
export const courseType = 'course';

/** How a course talks to the LMS outside. */
export const apiTypes = ['local', 'scorm12', 'scorm2004', 'xapi', 'cmi5'] as const;
export type ApiType = (typeof apiTypes)[number];

export const exportModes = ['package', 'live'] as const;
export type ExportMode = (typeof exportModes)[number];

/** A course record with its defaults filled in. */
export interface Course {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly status: PostStatus;
  readonly lang: string;
  /** Its id in the LMS outside; may be empty. */
  readonly course_id: string;
  readonly course_comment: string;
  readonly api_type: ApiType;
  readonly version: number;
  readonly export_mode: ExportMode;
  /** Pages in package order; some may be in the trash. */
  readonly page_ids: readonly number[];
}

/** The course of a post and its meta, whose values were checked when they were written. */
export function courseOf(post: ListedPost, meta: MetaValues): Course {
  const { id, title, slug, status, lang } = post;
  return {
    id,
    title,
    slug,
    status,
    lang,
    course_id: meta.course_id as string,
    course_comment: meta.course_comment as string,
    api_type: meta.api_type as ApiType,
    version: meta.version as number,
    export_mode: meta.export_mode as ExportMode,
    page_ids: meta.page_ids as readonly number[],
  };
}
