import type { Words } from '@lyceum/core';

/** What can be wrong, by the code of the answer; `offline` when there was none. */
export const problems = [
  'magic_links_invalid',
  'magic_links_ssl',
  'rest_too_many_requests',
  'offline',
] as const;
export type Problem = (typeof problems)[number];

export const isProblem = (code: string): code is Problem => (problems as readonly string[]).includes(code);

export interface LandingWords {
  readonly title: string;
  readonly explanation: string;
  readonly button: string;
  /** On the button while it is at work. */
  readonly working: string;
  readonly withoutScripts: string;
  readonly withoutToken: string;
  readonly field: string;
  readonly problems: Readonly<Record<Problem, string>>;
}

export const landingWords: Words<LandingWords> = {
  en: {
    title: 'Sign in',
    explanation: 'One press of the button signs you in. The link works once.',
    button: 'Sign in',
    working: 'Signing in…',
    withoutScripts:
      'JavaScript is off, so this page cannot read the link that you opened. Copy the link from the mail and paste it here.',
    withoutToken:
      'The address of this page is not complete. Copy the whole link from the mail and paste it here.',
    field: 'Link from the mail',
    problems: {
      magic_links_invalid:
        'This link does not work any more: it was used, it is too old, or it was revoked. Ask for a new one.',
      magic_links_ssl: 'This connection is not encrypted. Open the link with https at its beginning.',
      rest_too_many_requests: 'Too many tries from your network. Wait a quarter of an hour and press again.',
      offline: 'The site could not be reached. Press again in a moment; the link was not used.',
    },
  },
  ru: {
    title: 'Вход',
    explanation: 'Нажмите кнопку, чтобы войти. Ссылка сработает один раз.',
    button: 'Войти',
    working: 'Входим…',
    withoutScripts:
      'JavaScript отключён, и эта страница не может прочитать открытую ссылку. Скопируйте ссылку из письма и вставьте её сюда.',
    withoutToken: 'Адрес этой страницы неполный. Скопируйте ссылку из письма целиком и вставьте её сюда.',
    field: 'Ссылка из письма',
    problems: {
      magic_links_invalid:
        'Эта ссылка больше не действует: её уже использовали, отозвали или она устарела. Попросите новую.',
      magic_links_ssl: 'Соединение не зашифровано. Откройте ссылку, начинающуюся с https.',
      rest_too_many_requests: 'Слишком много попыток из вашей сети. Подождите четверть часа и нажмите снова.',
      offline: 'Сайт не отвечает. Нажмите ещё раз чуть позже: ссылка не использована.',
    },
  },
};
