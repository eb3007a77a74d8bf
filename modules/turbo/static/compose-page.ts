import { type Editor, Html, html } from '@lyceum/core';
import { scriptName, styleName } from './static-record.ts';

export interface PageParts {
  readonly id: number;
  readonly title: string;
  readonly lang: string;
  readonly editor: Editor;
  /** Path of the API, seen from the folder. */
  readonly api: string;
  /** Inside of the body, inert. */
  readonly body: string;
}

/** The document of a static page. */
export const composePage = ({ id, title, lang, editor, api, body }: PageParts): string =>
  html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${styleName}">
<script src="${scriptName}" data-page="${String(id)}" data-api="${api}" defer></script>
</head>
<body>
<main data-editor="${editor}">
${new Html(body)}
</main>
</body>
</html>
`.text;

/** What stands where a dynamic shortcode does, until the script knows who looks. */
export const placeholder = ({ key, shortcode }: { readonly key: string; readonly shortcode: string }): Html =>
  html`<svc-dsh data-key="${key}" data-shortcode="${shortcode}"></svc-dsh>`;
