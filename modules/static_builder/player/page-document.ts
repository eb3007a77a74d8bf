import { Html, html } from '@lyceum/core';
import { oneLine } from '../texts.ts';
import { languageAttributes } from './language.ts';

/** Marks of a page whose author chose colours: an attribute or a sheet of style, or what came before those. */
const ownColours =
  /<(?:style|link|font)[\s>]|\sbgcolor\s*=|\sstyle\s*=\s*(?:"[^"]*(?:color|background)|'[^']*(?:color|background))/i;

/**
 * The whole document of one page. It knows nothing of the course around, so that it is the same whatever pages stand
 * beside it. What it needs stands in the head: a page's own HTML may leave something open, and would swallow it.
 * @param bodyHtml HTML of the page as its renderer made it
 * @param cues what `cuesOf` made of the page's text tracks
 */
export function pageDocument(
  { title, language }: { readonly title: string; readonly language: string },
  bodyHtml: string,
  cues: string,
): string {
  const name = oneLine(title);
  // A page that brings a first heading of its own is not given another.
  const heading = name === '' || /<h1[\s>]/i.test(bodyHtml) ? html`` : html`<h1>${name}</h1>\n`;
  // Colours that were chosen on white are not to be read on black.
  const isLight = ownColours.test(bodyHtml);
  const tracks =
    cues && `<script type="application/json" id="tracks">${cues.replaceAll('<', '\\u003c')}</script>\n`;
  return html`<!doctype html>
<html${languageAttributes(language)}${isLight ? html` class="light"` : html``}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${isLight ? 'only light' : 'light dark'}">
<title>${name}</title>
<link rel="stylesheet" href="../assets/course.css">
${new Html(tracks)}<script src="../assets/page.js" defer></script>
</head>
<body class="page">
<main id="content">
${heading}${new Html(bodyHtml)}
</main>
</body>
</html>
`.text;
}
