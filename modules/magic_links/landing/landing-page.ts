import { createHash } from 'node:crypto';
import { Html, html, type Language } from '@lyceum/core';
import { landingPath } from '../token.ts';
import { landingScript } from './landing-script.ts';
import { landingWords, type Problem, problems } from './landing-words.ts';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #4a5666; --paper: #f6f7f9; --card: #ffffff; --line: #d5dae1;
  --mark: #1f5fbf; --on-mark: #ffffff; --wrong: #9c1c1c; --wrong-paper: #fdeeee; --field: #7b8794; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f5; --soft: #b3bdca; --paper: #12161c; --card: #1b2129; --line: #343d49;
    --mark: #8db8ff; --on-mark: #10151b; --wrong: #ffb4ab; --wrong-paper: #3b1d1d; --field: #8b97a5; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; color: var(--ink);
  background: var(--paper); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: 100%; max-width: 27rem; padding: 2rem clamp(1.25rem, 6vw, 2.25rem) 2.25rem; border: 1px solid var(--line);
  border-radius: 1rem; background: var(--card); }
.site { margin: 0 0 0.35rem; color: var(--soft); font-weight: 600; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.015em; }
p { margin: 0.9rem 0 0; }
.soft { color: var(--soft); }
label { display: block; margin: 1.1rem 0 0.35rem; font-weight: 600; }
input { width: 100%; padding: 0.7rem 0.8rem; border: 1px solid var(--field); border-radius: 0.6rem; color: inherit;
  background: var(--paper); font: inherit; }
button { width: 100%; min-height: 3.25rem; margin-top: 1.5rem; padding: 0.75rem 1.25rem; border: 0; border-radius: 0.7rem;
  color: var(--on-mark); background: var(--mark); font: inherit; font-size: 1.125rem; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.07); }
button:disabled { cursor: progress; filter: saturate(0.6); }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 3px; }
.wrong { padding: 0.75rem 0.9rem; border-radius: 0.6rem; color: var(--wrong); background: var(--wrong-paper); }
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: var(--ink); } }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page's own style and script, one request to its own host, its own form; no frame, no other host. */
export const landingPolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(landingScript)}`,
  "connect-src 'self'",
  "form-action 'self'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface LandingContent {
  readonly language: Language;
  /** Of the site. */
  readonly title: string;
  /** Path of the site, with slashes around it. */
  readonly home: string;
  /** Path of the operation that uses a token up. */
  readonly consume: string;
  /** What went wrong with the form; null on a fresh page. */
  readonly problem: Problem | null;
}

/**
 * The page that asks before it signs in. Only without scripts does it tell its host where a form came from: the host
 * takes none from another page.
 */
export function landingPage({ language, title, home, consume, problem }: LandingContent): Html {
  const words = landingWords[language];
  const messages = problems.map(
    (one) =>
      html`<p class="wrong" data-problem="${one}"${new Html(one === problem ? '' : ' hidden')}>${words.problems[one]}</p>\n`,
  );
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}: ${title}</title>
<link rel="icon" href="data:,">
<noscript><meta name="referrer" content="same-origin"></noscript>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="site">${title}</p>
<h1>${words.title}</h1>
<p class="soft">${words.explanation}</p>
<div role="alert">
${new Html(messages.map(({ text }) => text).join(''))}</div>
<form method="post" action="${home}${landingPath}" data-consume="${consume}" data-home="${home}">
<div id="paste">
<noscript><p>${words.withoutScripts}</p></noscript>
<p class="incomplete" hidden>${words.withoutToken}</p>
<label for="link">${words.field}</label>
<input id="link" name="link" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false">
</div>
<button type="submit" data-working="${words.working}">${words.button}</button>
</form>
</main>
<script>${new Html(landingScript)}</script>
</body>
</html>
`;
}
