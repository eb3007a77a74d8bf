import { fail } from '@lyceum/core';

/** The file is no well-formed XML, or larger than a text, a tag or a tree may be. */
export class BrokenXml extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`Line ${line}: ${problem}`);
    this.line = line;
  }
}

/** The file uses what makes small texts large: a document type, or an entity that XML itself does not have. */
export class ForbiddenXml extends Error {}

export const failForbidden = (): never =>
  fail('import_forbidden_xml', {
    message: 'The file has a document type or an entity of its own; such files are not read.',
  });

export const failNotWxr = (): never =>
  fail('import_not_wxr', { message: 'The file is no WordPress export (WXR 1.0, 1.1 or 1.2).' });

export const failBroken = (problem: BrokenXml): never =>
  fail('import_bad_xml', { message: `The file is broken. ${problem.message}` });
