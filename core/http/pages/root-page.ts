import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #4a5666; --paper: #f6f7f9; --card: #ffffff; --line: #d5dae1; --mark: #1f5fbf; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f5; --soft: #b3bdca; --paper: #12161c; --card: #1b2129; --line: #343d49; --mark: #8db8ff; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem; color: var(--ink);
  background: var(--paper); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { width: 100%; max-width: 40rem; }
h1 { margin: 0; font-size: clamp(1.75rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -0.02em; overflow-wrap: anywhere; }
.tagline { margin: 0.75rem 0 0; font-size: 1.2rem; color: var(--soft); overflow-wrap: anywhere; }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; margin: 2.25rem 0 0; padding: 0; list-style: none; }
a { display: block; height: 100%; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem;
  background: var(--card); color: inherit; text-decoration: none; }
a strong { display: block; color: var(--mark); text-decoration: underline; text-underline-offset: 0.2em; }
a span { color: var(--soft); font-size: 0.95rem; }
a:hover { border-color: var(--mark); }
a:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing but the page's own style: no script, no frame, no form, no other host. */
export const rootPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface RootPageContent {
  readonly title: string;
  /** The site's tagline; may be empty. */
  readonly description: string;
  /** Path of the site on its host, with slashes around it. */
  readonly path: string;
  readonly apiRoot: string;
}

/** The site's root page: what the site is called, and where its API is and is described. */
export function rootPage({ title, description, path, apiRoot }: RootPageContent): string {
  const tagline = description === '' ? new Html('') : html`\n<p class="tagline">${description}</p>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>${tagline}
<ul>
<li><a href="${path}docs"><strong>API reference</strong> <span>Every operation of this site, to read and to try.</span></a></li>
<li><a href="${path}${apiRoot}/"><strong>API root</strong> <span>The machine-readable index of what is served here.</span></a></li>
</ul>
</main>
</body>
</html>
`.text;
}
