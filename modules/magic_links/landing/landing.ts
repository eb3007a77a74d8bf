import {
  Addresses,
  type Call,
  definePage,
  isCoded,
  languageWanted,
  leadTo,
  type PageAnswer,
  pathOfUrl,
  showPage,
} from '@lyceum/core';
import { Consumption } from '../consumption.ts';
import { landingPath } from '../token.ts';
import { landingPage, landingPolicy } from './landing-page.ts';
import { isProblem, type Problem } from './landing-words.ts';

/** What somebody pastes: a whole link, or its token. */
const pasted = /(?:^|#token=)(ml_[A-Za-z0-9_-]{43})$/;

function shown(call: Call, status: number, problem: Problem | null): PageAnswer {
  const site = call.currentSite;
  const siteLanguage = call.state.siteOptions.get('default_lang');
  const language = languageWanted(call.header('accept-language'), String(siteLanguage ?? 'en'));
  const consume = pathOfUrl(call.get(Addresses).route(site, 'svc/magic-links/v1/consume'));
  const page = landingPage({ language, title: site.title, home: site.path, consume, problem });
  return showPage(page, {
    status,
    policy: landingPolicy,
    headers: { 'Referrer-Policy': 'no-referrer', Vary: 'Accept-Language' },
  });
}

/**
 * The page that a link opens. Whoever fetches it, or runs its script, uses nothing up: that takes the button. The
 * script sends the token of the fragment; without scripts the link is pasted into the form, which this page takes.
 */
export const landing = definePage({
  id: 'magic_links.landing',
  path: landingPath,
  title: 'Sign in by a link',
  show: (call) => shown(call, 200, null),
  submit: async (form, call) => {
    const token = pasted.exec((form.link ?? '').trim())?.[1] ?? '';
    try {
      const { cookie, redirect } = await call.get(Consumption).take(call, token, undefined);
      return leadTo(pathOfUrl(redirect ?? call.currentSite.url), [cookie]);
    } catch (error) {
      if (!isCoded(error) || !isProblem(error.code)) throw error;
      return shown(call, error.code === 'rest_too_many_requests' ? 429 : 403, error.code);
    }
  },
});
