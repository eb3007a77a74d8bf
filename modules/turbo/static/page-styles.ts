import { elementText, type HtmlElement, type HtmlTree } from '@lyceum/core';

/** What stands for the styles of one element. */
const mark = 'data-svc-style';

/**
 * Takes the styles out of a page: its policy lets none in that are not in a file. Style elements and style attributes
 * become CSS, the attributes by a mark of their own that outweighs other rules as they did.
 */
export function takeStyles(tree: HtmlTree): string {
  const sheets: string[] = [];
  const rules: string[] = [];
  const numbers = new Map<string, number>();
  const gone = new Set<HtmlElement>();
  for (const element of tree.elements()) {
    if (element.tagName === 'style') {
      sheets.push(elementText(element));
      gone.add(element);
    }
    const at = element.attrs.findIndex(({ name }) => name === 'style');
    const [style] = at < 0 ? [] : element.attrs.splice(at, 1);
    // Braces would end the rule, and begin others.
    if (!style || style.value.trim() === '' || /[{}]/.test(style.value)) continue;
    let number = numbers.get(style.value);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(style.value, number);
      rules.push(`${`[${mark}="${number}"]`.repeat(4)} { ${style.value} }`);
    }
    element.attrs = [
      ...element.attrs.filter(({ name }) => name !== mark),
      { name: mark, value: String(number) },
    ];
  }
  tree.remove(gone);
  return [...sheets, ...rules].join('\n');
}
