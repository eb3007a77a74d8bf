import type { Course, CourseFile } from '../course.ts';
import { cmi5Manifest } from './cmi5.ts';
import { schemaFiles } from './schemas.ts';
import { scorm12Manifest } from './scorm12.ts';
import { scorm2004Manifest } from './scorm2004.ts';
import { tincanManifest } from './tincan.ts';

/**
 * What a package has for the system that it is brought into: the manifest first, then the schemas that belong into
 * it. A course for no system has neither.
 * @param paths every other file of the package
 */
export function interfaceFiles(course: Course, paths: readonly string[]): readonly CourseFile[] {
  switch (course.apiType) {
    case 'local':
      return [];
    case 'xapi':
      return [{ path: 'tincan.xml', content: tincanManifest(course) }];
    case 'cmi5':
      return [{ path: 'cmi5.xml', content: cmi5Manifest(course) }];
    case 'scorm12':
    case 'scorm2004': {
      const schemas = schemaFiles(course.apiType);
      const all = [...paths, ...schemas.map(({ path }) => path)];
      const manifest = course.apiType === 'scorm12' ? scorm12Manifest : scorm2004Manifest;
      return [{ path: 'imsmanifest.xml', content: manifest(course, all) }, ...schemas];
    }
  }
}
