import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ApiType, CourseFile } from '../course.ts';

/** The schemas of one format. The first of `roots` describes its root element. */
interface SchemaSet {
  readonly folder: string;
  /** One for each namespace that a manifest uses. */
  readonly roots: readonly { readonly namespace: string; readonly file: string }[];
  /** Files that those include. */
  readonly included: readonly string[];
}

const simpleSequencing = [
  ...['auxresource', 'control', 'delivery', 'limit', 'objective', 'random', 'rollup', 'seqrule', 'util'],
].map((part) => `imsss_v1p0${part}.xsd`);

/**
 * SCORM's own schemas, as IMS and ADL published them, ship in each package that follows them. The one of the
 * namespace `xml` lost its document type, so that no reader of a package looks for one.
 */
const sets: Readonly<Record<Exclude<ApiType, 'local'>, SchemaSet>> = {
  scorm12: {
    folder: 'scorm12',
    roots: [
      { namespace: 'http://www.imsproject.org/xsd/imscp_rootv1p1p2', file: 'imscp_rootv1p1p2.xsd' },
      { namespace: 'http://www.adlnet.org/xsd/adlcp_rootv1p2', file: 'adlcp_rootv1p2.xsd' },
      { namespace: 'http://www.w3.org/XML/1998/namespace', file: 'ims_xml.xsd' },
    ],
    included: [],
  },
  scorm2004: {
    folder: 'scorm2004',
    roots: [
      { namespace: 'http://www.imsglobal.org/xsd/imscp_v1p1', file: 'imscp_v1p1.xsd' },
      { namespace: 'http://www.adlnet.org/xsd/adlcp_v1p3', file: 'adlcp_v1p3.xsd' },
      { namespace: 'http://www.adlnet.org/xsd/adlseq_v1p3', file: 'adlseq_v1p3.xsd' },
      { namespace: 'http://www.adlnet.org/xsd/adlnav_v1p3', file: 'adlnav_v1p3.xsd' },
      { namespace: 'http://www.imsglobal.org/xsd/imsss', file: 'imsss_v1p0.xsd' },
      { namespace: 'http://www.w3.org/XML/1998/namespace', file: 'xml.xsd' },
    ],
    included: simpleSequencing,
  },
  xapi: {
    folder: 'tincan',
    roots: [{ namespace: 'http://projecttincan.com/tincan.xsd', file: 'tincan.xsd' }],
    included: [],
  },
  cmi5: {
    folder: 'cmi5',
    roots: [
      {
        namespace: 'https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd',
        file: 'course-structure.xsd',
      },
    ],
    included: [],
  },
};

const folder = path.join(import.meta.dirname, 'schemas');

/** Every schema file of a format. */
export function schemaFiles(apiType: Exclude<ApiType, 'local'>): readonly CourseFile[] {
  const set = sets[apiType];
  return [...set.roots.map(({ file }) => file), ...set.included].map((file) => ({
    path: file,
    content: readFileSync(path.join(folder, set.folder, file)),
  }));
}

/** A schema that brings all namespaces of a format together: a validator takes one. */
export function joinedSchema(apiType: Exclude<ApiType, 'local'>): string {
  const imports = sets[apiType].roots.map(
    ({ namespace, file }) => `<xs:import namespace="${namespace}" schemaLocation="${file}"/>`,
  );
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`;
}
