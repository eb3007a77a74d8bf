import type { Course } from '../course.ts';
import { courseTexts } from './course-texts.ts';
import { fileElements } from './file-elements.ts';
import { manifestIdentifier } from './identifiers.ts';
import { xml } from './xml.ts';

/** `imsmanifest.xml` of SCORM 1.2: one organisation, one item, one object that can be launched. */
export function scorm12Manifest(course: Course, paths: readonly string[]): string {
  const { name } = courseTexts(course);
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="${manifestIdentifier(course)}" version="${course.version}"
    xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd
      http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="organization">
    <organization identifier="organization">
      <title>${name}</title>
      <item identifier="item" identifierref="resource" isvisible="true">
        <title>${name}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="resource" type="webcontent" adlcp:scormtype="sco" href="index.html">${fileElements('index.html', paths, '      ')}
    </resource>
  </resources>
</manifest>
`.text;
}
