import { plainText } from '../texts.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML with values filled in: each is escaped, and loses the characters that no XML may hold. */
export function xml(literals: TemplateStringsArray, ...values: readonly (string | number | Xml)[]): Xml {
  return new Xml(
    literals
      .map((literal, at) => {
        const value = values[at];
        if (value === undefined) return literal;
        return literal + (value instanceof Xml ? value.text : escaped(String(value)));
      })
      .join(''),
  );
}

/** Text that is XML already: made by the functions of this file only. */
export class Xml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Elements one below the other. */
export const lines = (elements: readonly Xml[], indent: string): Xml =>
  new Xml(elements.map(({ text }) => `\n${indent}${text}`).join(''));

const escaped = (text: string): string =>
  plainText(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
