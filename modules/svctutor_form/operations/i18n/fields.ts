import { type Call, yup } from '@lyceum/core';
import { firstAccepted, siteLanguage, tagForm } from '../../locale/language-tag.ts';

export const tag = () => yup.string().matches(tagForm, 'must be a language tag such as nl or pt-BR');

/** What the caller asks for, else what his browser wants most, else the language of the site. */
export const wantedTag = (call: Call, asked: string | undefined): string =>
  asked ?? firstAccepted(call.header('accept-language')) ?? siteLanguage(call.state);

/** Headers of an answer in a language. */
export const inLanguage = (language: string) => ({
  headers: {
    'Content-Language': language,
    Vary: 'Accept-Language',
    'Cache-Control': 'public, max-age=3600',
  },
});
