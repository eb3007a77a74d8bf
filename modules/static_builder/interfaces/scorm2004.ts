import type { Course } from '../course.ts';
import { courseTexts } from './course-texts.ts';
import { fileElements } from './file-elements.ts';
import { manifestIdentifier } from './identifiers.ts';
import { xml } from './xml.ts';

/**
 * `imsmanifest.xml` of SCORM 2004, 4th edition. The course says by itself what is complete and nothing about success;
 * with a single unit there is nothing for the system's own previous and next to lead to.
 */
export function scorm2004Manifest(course: Course, paths: readonly string[]): string {
  const { name } = courseTexts(course);
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="${manifestIdentifier(course)}" version="${course.version}"
    xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"
    xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3"
    xmlns:adlnav="http://www.adlnet.org/xsd/adlnav_v1p3"
    xmlns:imsss="http://www.imsglobal.org/xsd/imsss"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.imsglobal.org/xsd/imscp_v1p1 imscp_v1p1.xsd
      http://www.adlnet.org/xsd/adlcp_v1p3 adlcp_v1p3.xsd
      http://www.adlnet.org/xsd/adlseq_v1p3 adlseq_v1p3.xsd
      http://www.adlnet.org/xsd/adlnav_v1p3 adlnav_v1p3.xsd
      http://www.imsglobal.org/xsd/imsss imsss_v1p0.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>2004 4th Edition</schemaversion>
  </metadata>
  <organizations default="organization">
    <organization identifier="organization" adlseq:objectivesGlobalToSystem="false">
      <title>${name}</title>
      <item identifier="item" identifierref="resource" isvisible="true">
        <title>${name}</title>
        <adlcp:completionThreshold completedByMeasure="false"/>
        <imsss:sequencing>
          <imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>
        </imsss:sequencing>
        <adlnav:presentation>
          <adlnav:navigationInterface>
            <adlnav:hideLMSUI>continue</adlnav:hideLMSUI>
            <adlnav:hideLMSUI>previous</adlnav:hideLMSUI>
          </adlnav:navigationInterface>
        </adlnav:presentation>
      </item>
      <imsss:sequencing>
        <imsss:controlMode choice="true" flow="true"/>
      </imsss:sequencing>
    </organization>
  </organizations>
  <resources>
    <resource identifier="resource" type="webcontent" adlcp:scormType="sco" href="index.html">${fileElements('index.html', paths, '      ')}
    </resource>
  </resources>
</manifest>
`.text;
}
