import { Html, html, scriptValue } from '@lyceum/core';
import type { ApiType, Course } from '../course.ts';
import { languageTag } from '../interfaces/course-texts.ts';
import { courseIri, pageIri } from '../interfaces/identifiers.ts';
import { oneLine, plainText } from '../texts.ts';
import { languageAttributes, otherLanguage } from './language.ts';
import { menuList, readingOrder } from './menu.ts';
import { filled, type PlayerWords, wordsFor } from './words.ts';

/** The scripts by which the shell speaks to the system that launched the course. */
export const runtimeScripts: Readonly<Record<ApiType, readonly string[]>> = {
  local: ['local.js'],
  scorm12: ['find-api.js', 'scorm.js', 'scorm12.js'],
  scorm2004: ['find-api.js', 'scorm.js', 'scorm2004.js'],
  xapi: ['record-store.js', 'session.js', 'xapi.js'],
  cmi5: ['record-store.js', 'session.js', 'cmi5.js'],
};

/**
 * What a page may do in its frame: all but to put something in the course's place. It keeps its origin, because
 * players of other hosts that authors embed do not work without theirs.
 */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-presentation';
const featurePolicy = 'autoplay; clipboard-write; encrypted-media; fullscreen; picture-in-picture';

type Spoken = PlayerWords & { readonly language: string };

/** What the scripts of the shell know of the course. */
const shellData = (course: Course, words: Spoken): Html =>
  scriptValue({
    iri: courseIri(course),
    key: `${course.blogId}-${course.buildId}`,
    name: oneLine(course.courseName),
    language: languageTag(course.language),
    hasHeader: course.withHeader,
    pages: readingOrder(course).map((page) => ({
      id: page.id,
      title: oneLine(page.title) || words.untitled,
      href: page.href,
      iri: pageIri(course, page),
    })),
    words: {
      seen: words.seen,
      seenOf: words.seenOf,
      pageOf: words.pageOf,
      shown: words.shown,
      allSeen: words.allSeen,
      next: words.next,
      backToCourse: words.backToCourse,
      untracked: words.untracked,
      ended: words.ended,
    },
  });

const menuButton = (words: Spoken): Html =>
  html`<button type="button" class="menu-button" id="menu-button" aria-expanded="false" aria-controls="menu"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5h14M3 10h14M3 15h9"/></svg><span>${words.contents}</span></button>`;

function header(course: Course, words: Spoken): Html {
  if (!course.withHeader) return html`<header class="bar bar-plain">${menuButton(words)}</header>`;
  const own = otherLanguage(course.language, words.language);
  const comment = plainText(course.courseComment).trim();
  return html`<header class="bar">
${menuButton(words)}
<div class="course-title">
<h1${own}>${oneLine(course.courseName)}</h1>
<p class="version">${filled(words.version, { version: course.version })}</p>
${comment === '' ? html`` : html`<p class="comment"${own}>${comment}</p>`}
</div>
<div class="progress"><span id="progress-text">${filled(words.seenOf, { seen: 0, total: course.pages.length })}</span><progress id="progress" max="${String(course.pages.length)}" value="0" aria-labelledby="progress-text"></progress></div>
<a class="about" id="about" href="about.html" target="page">${words.about}</a>
<button type="button" class="exit" data-exit hidden>${words.exit}</button>
</header>`;
}

const pager = (words: Spoken): Html => html`<nav class="pager" aria-label="${words.pages}" id="pager" hidden>
<a class="step previous" id="previous" target="page" rel="prev"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M12.5 4.5 7 10l5.5 5.5"/></svg><span><span class="step-word">${words.previous}</span><span class="step-title" id="previous-title"></span></span></a>
<p class="position" id="position"></p>
<a class="step next" id="next" target="page" rel="next"><span><span class="step-word" id="next-word">${words.next}</span><span class="step-title" id="next-title"></span></span><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M7.5 4.5 13 10l-5.5 5.5"/></svg></a>
<p class="done" id="done" hidden>${words.done}</p>
</nav>`;

/** `index.html`: menu, course name, the page in a frame, previous and next. */
export function shellDocument(course: Course): string {
  const words = wordsFor(course.language);
  const scripts = ['progress.js', ...runtimeScripts[course.apiType], 'menu.js', 'shell.js'];
  return html`<!doctype html>
<html${languageAttributes(course.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${oneLine(course.courseName)}</title>
<link rel="stylesheet" href="assets/course.css">
<script type="application/json" id="course">${shellData(course, words)}</script>
${new Html(scripts.map((name) => `<script src="assets/${name}" defer></script>\n`).join(''))}</head>
<body class="shell${course.withHeader ? '' : ' shell-plain'}"${otherLanguage(words.language, course.language)}>
<a class="skip" href="#page" id="skip">${words.skip}</a>
${header(course, words)}
<nav class="menu" id="menu" aria-label="${words.contents}">
${menuList(course, words)}
<p class="notice" id="notice" hidden></p>
${course.withHeader ? html`` : html`<button type="button" class="exit" data-exit hidden>${words.exit}</button>`}
</nav>
<main class="stage" id="page" tabindex="-1">
<noscript><p class="notice">${words.needsScript}</p></noscript>
<iframe name="page" id="frame" title="${oneLine(course.courseName)}" sandbox="${sandbox}" allow="${featurePolicy}"></iframe>
</main>
${course.withHeader ? pager(words) : html``}
<p class="hidden-text" id="status" role="status"></p>
</body>
</html>
`.text;
}
