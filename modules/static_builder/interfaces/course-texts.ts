import { canonicalTag } from '@lyceum/core';
import type { Course } from '../course.ts';
import { oneLine, plainText } from '../texts.ts';

/** What every manifest says about a course in words. */
export interface CourseTexts {
  /** Never empty: systems list courses by it. */
  readonly name: string;
  /** The author's comment, or the name again where there is none: some formats demand one. */
  readonly description: string;
  readonly language: string;
}

/** `und` where the course's language is no tag: XML takes nothing else. */
export const languageTag = (tag: string): string => canonicalTag(tag.trim().replaceAll('_', '-')) ?? 'und';

export function courseTexts(course: Course): CourseTexts {
  const name = oneLine(course.courseName) || manifestName(course);
  return {
    name,
    description: plainText(course.courseComment).trim() || name,
    language: languageTag(course.language),
  };
}

const manifestName = ({ buildId }: Course): string => `Course ${buildId}`;
