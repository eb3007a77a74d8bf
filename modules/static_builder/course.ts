/** How a course speaks to the system that launches it; `local` speaks to none. */
export const apiTypes = ['local', 'scorm12', 'scorm2004', 'xapi', 'cmi5'] as const;
/** One of them. */
export type ApiType = (typeof apiTypes)[number];

/** A page as the course names it. What is on it stands in a document of its own. */
export interface CoursePage {
  readonly id: number;
  /** Place among the pages that were chosen, from 1; a page that is skipped leaves its number free. */
  readonly number: number;
  readonly title: string;
  readonly slug: string;
  /** `pages/001-{slug}.html`: ASCII, relative to the course. */
  readonly href: string;
  /** BCP 47. */
  readonly language: string;
  readonly section: { readonly id: number; readonly name: string } | null;
}

/** One run of a build, as its player and its manifests see it. */
export interface Course {
  readonly blogId: number;
  readonly buildId: number;
  readonly revision: number;
  readonly builtAt: Date;
  /** With a slash at its end. */
  readonly siteUrl: string;
  readonly courseName: string;
  /** As the author typed it: an absolute IRI, a name, or empty. */
  readonly courseId: string;
  readonly courseComment: string;
  readonly version: number;
  readonly apiType: ApiType;
  /** BCP 47. */
  readonly language: string;
  /** Header, previous and next, marks of progress, `about.html`; false: menu and pages only. */
  readonly withHeader: boolean;
  readonly useSections: boolean;
  /** In the order of the course; at least one. */
  readonly pages: readonly CoursePage[];
}

/** A file of a course that is made and not copied. */
export interface CourseFile {
  /** Relative to the course, ASCII `[A-Za-z0-9._/-]`. */
  readonly path: string;
  readonly content: string | Buffer;
}
