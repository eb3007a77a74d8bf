import { Html, html } from '../http/pages/html.ts';
import { fillIn, type Letter } from './letter.ts';
import type { Letterhead } from './letterhead.ts';

/**
 * Mail clients know tables and style attributes; some read a style sheet too, and those with a dark mode mostly do.
 * Nothing is fetched: no picture, no font. Colours have letters in them, so that no program takes one for a code.
 */
const darkStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #12161c !important; }
  .card { background: #1b2129 !important; border-color: #343d49 !important; }
  .ink { color: #eef1f5 !important; }
  .soft { color: #b3bdca !important; }
  .mark { color: #8db8ff !important; }
  .code { background: #262e38 !important; color: #eef1f5 !important; }
  .button { background: #8db8ff !important; color: #12161c !important; }
}
@media (max-width: 480px) {
  .inside { padding: 24px 20px !important; }
  .digit { font-size: 28px !important; padding: 0 3px !important; }
}
`;

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

const joined = (parts: readonly Html[]): Html => new Html(parts.map(({ text }) => text).join(''));

/** One element for each character: programs that make telephone numbers of long ones leave it alone. */
const spelled = (code: string, digit: (character: string) => Html): Html => joined([...code].map(digit));

const codeBlock = (code: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 20px;"><tr>
<td class="code" style="padding: 14px 22px; border-radius: 10px; background: #eef2f8; color: #1c2430; white-space: nowrap;">${spelled(
    code,
    (character) =>
      html`<span class="digit" style="padding: 0 5px; font: 700 34px/1.2 ui-monospace, Menlo, Consolas, monospace;">${character}</span>`,
  )}</td>
</tr></table>
`;

const buttonBlock = (url: string, label: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 20px;"><tr>
<td><a class="button" href="${url}" style="display: inline-block; padding: 14px 28px; border-radius: 10px; background: #1f5fbf; color: #fff; ${font}; font-size: 17px; font-weight: 600; text-decoration: none;">${label}</a></td>
</tr></table>
<p class="soft" style="margin: 0 0 20px; color: #4a5666; ${font}; font-size: 14px; line-height: 1.5; word-break: break-all;"><a class="mark" href="${url}" style="color: #1f5fbf;">${url}</a></p>
`;

/** A name in braces within a line of text: a code is spelled, a link can be followed, the rest is text. */
function inline(text: string, { values, code, link }: Letter): Html {
  return joined(
    text.split(/(\{\w{1,40}\}|\n)/).map((part) => {
      if (part === '\n') return new Html('<br>\n');
      const value = fillIn(part, values);
      if (code !== undefined && part === `{${code}}`) {
        return html`<strong>${spelled(value, (character) => html`<span>${character}</span>`)}</strong>`;
      }
      if (link && part === `{${link.name}}`) {
        return html`<a class="mark" href="${value}" style="color: #1f5fbf; word-break: break-all;">${value}</a>`;
      }
      return html`${value}`;
    }),
  );
}

function paragraph(text: string, letter: Letter): Html {
  const { values, code, link } = letter;
  if (code !== undefined && text === `{${code}}`) return codeBlock(values[code] ?? '');
  if (link && text === `{${link.name}}`) return buttonBlock(values[link.name] ?? '', link.label);
  return html`<p class="ink" style="margin: 0 0 20px; color: #1c2430; ${font}; font-size: 17px; line-height: 1.55;">${inline(text, letter)}</p>
`;
}

/** The letter as a page for mail clients. */
export function htmlLetter({ title, url }: Letterhead, letter: Letter): string {
  const paragraphs = letter.text
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return html`<!doctype html>
<html lang="${letter.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${new Html(darkStyle)}</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #f6f7f9;">
<div role="main">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background: #f6f7f9;"><tr>
<td align="center" style="padding: 32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px;">
<tr><td style="padding: 0 4px 14px; word-break: break-word;"><h1 class="ink" style="margin: 0; color: #1c2430; ${font}; font-size: 19px; line-height: 1.3;">${title}</h1></td></tr>
<tr><td class="card inside" style="padding: 32px 36px 16px; border: 1px solid #d5dae1; border-radius: 14px; background: #fff; word-break: break-word;">
${joined(paragraphs.map((text) => paragraph(text, letter)))}</td></tr>
<tr><td class="soft" style="padding: 16px 4px 0; color: #4a5666; ${font}; font-size: 14px; line-height: 1.5; word-break: break-word;"><a class="mark" href="${url}" style="color: #1f5fbf;">${url}</a></td></tr>
</table>
</td>
</tr></table>
</div>
</body>
</html>
`.text;
}
