import { randomBytes } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { MailMessage } from './message.ts';

/** A line may have 998 characters on its way; a link is far shorter. */
const longestLine = 900;

/** Letters only: a program that looks for a code in a mail finds none in its names of parts. */
const letters = (): string =>
  randomBytes(12)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');

const isPlain = (text: string): boolean =>
  /^[\t\n\r\x20-\x7e]*$/.test(text) && text.split('\n').every((line) => line.length <= longestLine);

/** Beside another part, plain text stays as it is, so that no link in it is broken over lines. */
function textPart({ text, html }: MailMessage): SendMailOptions['text'] {
  if (html === undefined || !isPlain(text)) return text;
  const head = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n';
  return { raw: head + text.replaceAll(/\r?\n/g, '\r\n') } as SendMailOptions['text'];
}

/** The mail for the transport: nothing that it names is read from disk or fetched, and no robot should answer it. */
export function asSent(message: MailMessage): SendMailOptions {
  const domain = message.from.address.split('@').at(-1) ?? 'localhost';
  const options = {
    ...message,
    text: textPart(message),
    textEncoding: 'quoted-printable',
    messageId: `<${letters()}@${domain}>`,
    baseBoundary: letters(),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  return options;
}
