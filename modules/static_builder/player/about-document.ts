import { Html, html } from '@lyceum/core';
import type { Course } from '../course.ts';
import { oneLine, plainText } from '../texts.ts';
import { languageAttributes, otherLanguage } from './language.ts';
import { filled, wordsFor } from './words.ts';

/** `about.html`: what the course is, in a document that the player shows like a page. */
export function aboutDocument(course: Course): string {
  const words = wordsFor(course.language);
  const own = otherLanguage(course.language, words.language);
  const built = new Intl.DateTimeFormat(words.language, { dateStyle: 'long', timeZone: 'UTC' });
  const paragraphs = plainText(course.courseComment)
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .map((text) => html`<p class="comment"${own}>${text.trim()}</p>\n`.text);
  return html`<!doctype html>
<html${languageAttributes(words.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.aboutCourse}</title>
<link rel="stylesheet" href="assets/course.css">
<script src="assets/page.js" defer></script>
</head>
<body class="page">
<main id="content">
<p class="kicker">${words.aboutCourse}</p>
<h1${own}>${oneLine(course.courseName)}</h1>
${new Html(paragraphs.join(''))}<dl class="facts">
<div><dt>${filled(words.version, { version: '' }).trim()}</dt><dd>${String(course.version)}</dd></div>
<div><dt>${words.pageCount}</dt><dd>${String(course.pages.length)}</dd></div>
<div><dt>${words.built}</dt><dd><time datetime="${course.builtAt.toISOString()}">${built.format(course.builtAt)}</time></dd></div>
</dl>
</main>
</body>
</html>
`.text;
}
