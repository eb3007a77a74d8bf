import type { Course } from '../course.ts';
import { courseTexts } from './course-texts.ts';
import { courseIri, unitIri } from './identifiers.ts';
import { type Xml, xml } from './xml.ts';

/** `cmi5.xml`: a course of one assignable unit, which is passed by completing it. */
export function cmi5Manifest(course: Course): string {
  const { name, description, language } = courseTexts(course);
  const words = (text: string): Xml => xml`<langstring lang="${language}">${text}</langstring>`;
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<courseStructure xmlns="https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd">
  <course id="${courseIri(course)}">
    <title>${words(name)}</title>
    <description>${words(description)}</description>
  </course>
  <au id="${unitIri(course)}" moveOn="Completed" launchMethod="AnyWindow">
    <title>${words(name)}</title>
    <description>${words(description)}</description>
    <url>index.html</url>
  </au>
</courseStructure>
`.text;
}
