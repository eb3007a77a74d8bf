import { languageFor, type Words } from '@lyceum/core';

/** What the player says. `{…}` are filled in by it. */
export interface PlayerWords {
  readonly skip: string;
  readonly contents: string;
  readonly pages: string;
  readonly about: string;
  readonly aboutCourse: string;
  readonly version: string;
  readonly previous: string;
  readonly next: string;
  readonly backToCourse: string;
  readonly exit: string;
  /** Of a page in the menu. */
  readonly seen: string;
  readonly seenOf: string;
  readonly pageOf: string;
  /** What a screen reader says when a page came. */
  readonly shown: string;
  /** Said when the last of them came. */
  readonly allSeen: string;
  /** Shown at the end of a course of which nothing is left. */
  readonly done: string;
  readonly untracked: string;
  readonly ended: string;
  readonly needsScript: string;
  readonly built: string;
  readonly pageCount: string;
  readonly untitled: string;
}

const words: Words<PlayerWords> = {
  en: {
    skip: 'Skip to the page',
    contents: 'Contents',
    pages: 'Pages',
    about: 'About',
    aboutCourse: 'About this course',
    version: 'Version {version}',
    previous: 'Previous',
    next: 'Next',
    backToCourse: 'Back to the course',
    exit: 'Leave the course',
    seen: 'seen',
    seenOf: '{seen} of {total} seen',
    pageOf: '{number} / {total}',
    shown: 'Page {number} of {total}: {title}',
    allSeen: 'You have seen all pages.',
    done: 'All pages seen',
    untracked: 'No learning system was found: your progress is not recorded.',
    ended: 'This session is over. Open the course again to go on.',
    needsScript: 'Without scripts your progress is not recorded. The menu leads to all pages.',
    built: 'Published on',
    pageCount: 'Number of pages',
    untitled: 'Untitled',
  },
  ru: {
    skip: 'Перейти к странице',
    contents: 'Содержание',
    pages: 'Страницы',
    about: 'О курсе',
    aboutCourse: 'Об этом курсе',
    version: 'Версия {version}',
    previous: 'Назад',
    next: 'Далее',
    backToCourse: 'Вернуться к курсу',
    exit: 'Выйти из курса',
    seen: 'просмотрено',
    seenOf: 'Просмотрено {seen} из {total}',
    pageOf: '{number} / {total}',
    shown: 'Страница {number} из {total}: {title}',
    allSeen: 'Вы просмотрели все страницы.',
    done: 'Всё просмотрено',
    untracked: 'Система обучения не найдена: результаты не сохраняются.',
    ended: 'Сеанс завершён. Чтобы продолжить, откройте курс снова.',
    needsScript: 'Без скриптов результаты не сохраняются. Ко всем страницам ведёт меню.',
    built: 'Опубликован',
    pageCount: 'Число страниц',
    untitled: 'Без названия',
  },
};

/** The player's words, and the language that they are in: the course's if the host speaks it, else English. */
export function wordsFor(courseLanguage: string): PlayerWords & { readonly language: string } {
  const language = languageFor('en', courseLanguage);
  return { ...words[language], language };
}

/** A text with its `{…}` filled in. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
