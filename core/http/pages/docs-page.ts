import { schemes } from '../documents/access-words.ts';
import { html, scriptValue } from './html.ts';

export interface DocsPageContent {
  readonly title: string;
  /** Path of the description on the page's own host. */
  readonly descriptionPath: string;
  /** Path of the reference's script on the page's own host. */
  readonly scriptPath: string;
  /** Fresh for each answer: only scripts that carry it run. */
  readonly nonce: string;
}

/** The reference must ask no host but this one: no fonts, no telemetry, no assistant, no proxy. */
const settings = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  proxyUrl: '',
  persistAuth: false,
  defaultOpenAllTags: false,
  operationTitleSource: 'summary',
  // The one that a reader can type in by hand.
  authentication: { preferredSecurityScheme: schemes.basic },
};

/**
 * The reference writes its styles into the page itself, hence `unsafe-inline` for styles; scripts run by the
 * nonce alone, so that a file uploaded to this host never runs here.
 */
export const docsPagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page that shows `openapi.json` to people. */
export function docsPage({ title, descriptionPath, scriptPath, nonce }: DocsPageContent): string {
  const given = scriptValue({ ...settings, url: descriptionPath });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript><p>This page needs JavaScript. The description itself is <a href="${descriptionPath}">openapi.json</a>.</p></noscript>
<div id="reference"></div>
<script nonce="${nonce}" src="${scriptPath}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', ${given})</script>
</body>
</html>
`.text;
}
