import type { SiteState } from '@lyceum/core';

/** A language, with a script and a region or without: what a client may ask for. */
export const tagForm = /^[A-Za-z]{2,4}([_-]([A-Za-z]{4}|[0-9]{3}))?([_-]([A-Za-z]{2}|[0-9]{3}))?$/;

/** `pt_br` is `pt-br`. */
export const hyphened = (tag: string): string => tag.replaceAll('_', '-');

/** The tag itself, then its language alone. */
export function tagAndLanguage(tag: string): readonly string[] {
  const whole = hyphened(tag);
  const [language = whole] = whole.split('-', 1);
  return language === whole ? [whole] : [whole, language];
}

const longestHeader = 1_000;

/** The first tag of `Accept-Language`, if it is one. */
export function firstAccepted(header: string): string | null {
  const [first = ''] = header.slice(0, longestHeader).split(/[,;]/, 1);
  const tag = first.trim();
  return tagForm.test(tag) ? tag : null;
}

/** The language of the site. */
export const siteLanguage = ({ siteOptions }: SiteState): string => {
  const language = siteOptions.get('default_lang');
  return typeof language === 'string' ? language : 'en';
};
