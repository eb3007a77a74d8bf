import type { Course } from '../course.ts';
import { courseTexts } from './course-texts.ts';
import { courseIri } from './identifiers.ts';
import { xml } from './xml.ts';

/** `tincan.xml`: where a package of xAPI begins, and by which activity its statements are about it. */
export function tincanManifest(course: Course): string {
  const { name, description, language } = courseTexts(course);
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<tincan xmlns="http://projecttincan.com/tincan.xsd">
  <activities>
    <activity id="${courseIri(course)}" type="http://adlnet.gov/expapi/activities/course">
      <name lang="${language}">${name}</name>
      <description lang="${language}">${description}</description>
      <launch lang="${language}">index.html</launch>
    </activity>
  </activities>
</tincan>
`.text;
}
