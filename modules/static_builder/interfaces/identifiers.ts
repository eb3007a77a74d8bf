import type { Course, CoursePage } from '../course.ts';
import { oneLine } from '../texts.ts';

/**
 * A scheme, and behind it what RFC 3987 allows without escaping. Brackets are left out: they are allowed around an
 * IPv6 address alone, and no course is named by one.
 */
const iriForm =
  /^[a-z][a-z0-9+.-]*:(?:[\w\-.~!$&'()*+,;=:@/?\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF]|[\u{10000}-\u{EFFFD}]|%[0-9a-f]{2})+(?:#(?:[\w\-.~!$&'()*+,;=:@/?\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF]|[\u{10000}-\u{EFFFD}]|%[0-9a-f]{2})*)?$/iu;

/** Whether a text names something everywhere: `https://…`, `urn:…`. */
export const isAbsoluteIri = (text: string): boolean =>
  // What has an authority must have one that can be read: no empty host, no port of letters.
  iriForm.test(text) &&
  (!/^[^:]*:\/\//.test(text) || (URL.canParse(text) && !/^[^:]*:\/\/(?:[/?#]|$)/.test(text)));

/** By which learning systems and record stores know the course, over all its revisions. */
export function courseIri(course: Pick<Course, 'courseId' | 'siteUrl' | 'buildId'>): string {
  const own = oneLine(course.courseId);
  if (isAbsoluteIri(own)) return own;
  const site = course.siteUrl.endsWith('/') ? course.siteUrl : `${course.siteUrl}/`;
  return `${site}courses/${encodeURIComponent(own || `build-${course.buildId}`)}`;
}

/** The assignable unit of cmi5: what a learning system launches. */
export const unitIri = (course: Course): string => `${courseIri(course)}/au/1`;

/** A page, as statements name it. */
export const pageIri = (course: Course, page: Pick<CoursePage, 'id'>): string =>
  `${courseIri(course)}/page/${page.id}`;

/** The manifest of SCORM. It is an XML name, hence not the course's IRI. */
export const manifestIdentifier = (course: Course): string => `svc-${course.blogId}-${course.buildId}`;
