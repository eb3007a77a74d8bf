import { htmlLetter } from './layout.ts';
import { fillIn, type Letter } from './letter.ts';
import type { Letterhead } from './letterhead.ts';
import type { MailMessage } from './message.ts';

/** A line of its own: no text of a user begins another one. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Makes the mail: as text with the site's name and address below, and as HTML of the same words. */
export function composeMail(head: Letterhead, letter: Letter): MailMessage {
  const values = { ...letter.values, site: oneLine(head.title) };
  const text = letter.text.replaceAll('\r\n', '\n').trim();
  return {
    from: head.from,
    to: letter.to,
    subject: oneLine(fillIn(letter.subject, values)),
    text: `${fillIn(text, values)}\n\n-- \n${values.site}\n${head.url}\n`,
    html: htmlLetter(head, { ...letter, text, values }),
  };
}
