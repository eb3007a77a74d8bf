import { isPlainObject } from '../api/schema.ts';

type Settings = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const escaped = (value: unknown): string =>
  text(value)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const inside = (value: unknown): Settings => (isPlainObject(value) ? value : {});

function heading(settings: Settings): string {
  const level = /^h([1-6])$/.exec(text(settings.header_size))?.[1] ?? '2';
  const title = text(settings.title);
  return title && `<h${level}>${title}</h${level}>`;
}

function image(settings: Settings): string {
  const { url, alt } = inside(settings.image);
  return text(url) && `<img src="${escaped(url)}" alt="${escaped(alt)}">`;
}

function button(settings: Settings): string {
  const label = text(settings.text);
  return label && `<a href="${escaped(inside(settings.link).url)}">${label}</a>`;
}

/** A video has its address under the name of its kind. */
function video(settings: Settings): string {
  const kind = text(settings.video_type) || 'youtube';
  const own = kind === 'hosted' ? [settings.hosted_url, settings.external_url] : [settings[`${kind}_url`]];
  const url = own
    .map((value) => text(isPlainObject(value) ? value.url : value))
    .find((found) => found !== '');
  return url ? `<a href="${escaped(url)}">${escaped(url)}</a>` : '';
}

const widgets = new Map<string, (settings: Settings) => string>([
  ['heading', heading],
  ['text-editor', (settings) => text(settings.editor)],
  ['html', (settings) => text(settings.html)],
  ['image', image],
  ['button', button],
  ['shortcode', (settings) => text(settings.shortcode)],
  ['video', video],
]);

const anyWidget = (settings: Settings): string =>
  ['title', 'text', 'description', 'content']
    .map((name) => text(settings[name]))
    .filter((value) => value !== '')
    .map((value) => `<p>${value}</p>`)
    .join('\n');

/**
 * The readable HTML of a page-builder document, its widgets in document order; empty when the text is no JSON
 * array. Walks without recursion: the depth of the document is its author's choice.
 */
export function projectPagebuilder(json: string): string {
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch {
    return '';
  }
  const shown: string[] = [];
  const open: unknown[] = Array.isArray(root) ? root.reverse() : [];
  while (open.length > 0) {
    const element = open.pop();
    if (!isPlainObject(element)) continue;
    if (element.elType === 'widget') {
      const show = widgets.get(text(element.widgetType)) ?? anyWidget;
      shown.push(show(inside(element.settings)));
    }
    if (Array.isArray(element.elements)) {
      for (const child of element.elements.toReversed()) open.push(child);
    }
  }
  // JSON may name the one character that no database stores.
  const html = shown.filter((part) => part !== '').join('\n');
  return html.replaceAll('\0', '');
}
