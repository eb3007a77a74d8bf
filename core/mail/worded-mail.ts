import type { JobRun } from '../api/job.ts';
import type { SettingDeclaration } from '../api/module.ts';
import { yup } from '../api/schema.ts';
import { composeMail } from './compose.ts';
import { languageFor, timeInWords, type Words } from './languages.ts';
import { type Letterhead, Letterheads } from './letterhead.ts';
import type { MailMessage } from './message.ts';

const longestSubject = 200;
const longestText = 5_000;

/** What a mail says where the site has no words of its own; names in braces are filled in, see `WordedMail`. */
export interface MailWords {
  readonly subject: string;
  readonly text: string;
  /** On the button that a link becomes. */
  readonly button?: string;
}

/** A mail with a secret in it, which a site may word by the settings of `wordedMailSettings`. */
export interface WordedMail {
  readonly to: { readonly email: string; readonly locale: string };
  readonly words: Words<MailWords>;
  /** Seconds that the secret is good: `{minutes}` as a number, `{time}` in words. */
  readonly lifetime: number;
  /** The name in braces that stands for the secret, what the secret is at this site, and what it looks like. */
  readonly secret: {
    readonly name: string;
    readonly kind: 'code' | 'link';
    readonly at: (site: Letterhead) => string;
  };
}

/** What makes an address of the characters before the secret, or a value that may end like one; and of those behind. */
const leads = /[./\\@}。．｡]/;
const trails = /[/\\@{]|[.。．｡][\p{L}\p{N}]/u;

/**
 * Whether the secret stands apart. Mail programs make links of texts: as a part of another address it would be sent
 * to whoever has that, and a site's words are its administrators', to whom the secret is not.
 */
const standsApart = (text: string, secret: string): boolean =>
  text.split(/\s/).every((word) => {
    const parts = word.split(secret);
    const [last = ''] = parts.splice(-1);
    return parts.length === 0 || !(trails.test(last) || parts.some((part) => leads.test(part)));
  });

/** The settings `mail_subject` and `mail_text` of a module with such a mail. Empty: the built-in words. */
export function wordedMailSettings(secret: string): Readonly<Record<string, SettingDeclaration>> {
  const holds = (text: string | undefined): boolean => !text || text.includes(`{${secret}}`);
  const apart = (text: string | undefined): boolean => standsApart(text ?? '', `{${secret}}`);
  const isPart = `must not have {${secret}} as a part of an address`;
  const words = (most: number) => yup.string().max(most).defined();
  const names = `{${secret}}, {site}, {minutes}`;
  return {
    mail_subject: {
      title: `Subject of the mail, with ${names}`,
      schema: words(longestSubject).test('apart', isPart, apart),
      default: '',
      scope: 'site',
    },
    mail_text: {
      title: `Text of the mail, with ${names}`,
      schema: words(longestText)
        .test('secret', `must contain {${secret}}`, holds)
        .test('apart', isPart, apart),
      default: '',
      scope: 'site',
    },
  };
}

/** Writes it in the language of the person or the site; null when the job's site is gone. */
export async function writeWordedMail(job: JobRun<unknown>, mail: WordedMail): Promise<MailMessage | null> {
  const { to, words, lifetime, secret } = mail;
  const head = await job.get(Letterheads).of(job.site.blog_id);
  if (!head) return null;
  const language = languageFor(to.locale, head.language);
  const own = words[language];
  return composeMail(head, {
    to: to.email,
    language,
    subject: (await job.setting<string>('mail_subject')) || own.subject,
    text: (await job.setting<string>('mail_text')) || own.text,
    values: {
      [secret.name]: secret.at(head),
      minutes: String(Math.ceil(lifetime / 60)),
      time: timeInWords(language, lifetime),
    },
    ...(secret.kind === 'code'
      ? { code: secret.name }
      : { link: { name: secret.name, label: own.button ?? head.url } }),
  });
}
