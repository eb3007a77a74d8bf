/** Text that is HTML already: made by `html` only. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, between tags as well as in a quoted attribute. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

/** HTML with values filled in: every value is escaped unless it is HTML itself. */
export function html(literals: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  return new Html(
    literals
      .map((literal, at) => {
        const value = values[at];
        if (value === undefined) return literal;
        return literal + (value instanceof Html ? value.text : escaped(value));
      })
      .join(''),
  );
}

/** A value as it may stand inside a script: no `</script>`, no line ends that old engines took for ones. */
export function scriptValue(value: unknown): Html {
  const escapes: Readonly<Record<string, string>> = {
    '<': '\\u003c',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return new Html(
    JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, (character) => escapes[character] ?? character),
  );
}
