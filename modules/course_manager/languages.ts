import { type Call, HostSettings, invalidParams, type Term, yup } from '@lyceum/core';

/** The languages of the call's site, and the one in which the caller reads and writes names. */
export interface Languages {
  readonly current: string;
  /** The site's default language. */
  readonly standard: string;
  readonly all: readonly string[];
}

/** `lang` of a query: which words it may be depends on the site. */
export const langQuery = { lang: yup.string() };

/** A site with one language is read in that, whatever is asked for. @throws `rest_invalid_param` naming `lang` */
export function languagesOf(call: Call, lang: string | undefined): Languages {
  const settings = call.get(HostSettings);
  const all = settings.value<readonly string[]>(call.state, 'languages');
  const standard = settings.value<string>(call.state, 'default_lang');
  if (lang === undefined || all.length <= 1) return { current: standard, standard, all };
  if (!all.includes(lang)) invalidParams({ lang: 'must be one of the languages of the site' });
  return { current: lang, standard, all };
}

type Named = Pick<Term, 'name' | 'names'>;

const nameIn = ({ names }: Named, lang: string): string | undefined =>
  Object.hasOwn(names, lang) ? names[lang] : undefined;

/** The name in the current language, else in the default one, else the name without a language. */
export const shownName = (term: Named, { current, standard }: Languages): string =>
  nameIn(term, current) ?? nameIn(term, standard) ?? term.name;

/**
 * What a new name in the current language changes. In the default language it is the term's own name, too; where
 * there is only one, names by language are written if the term has one, which would go before its own.
 */
export function renamed(term: Named, name: string, { current, standard, all }: Languages): Partial<Named> {
  const byLanguage = all.length > 1 || Object.hasOwn(term.names, current);
  return {
    ...(current === standard && { name }),
    ...(byLanguage && { names: { ...term.names, [current]: name } }),
  };
}
