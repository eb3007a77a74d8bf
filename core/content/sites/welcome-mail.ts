import type { MailMessage } from '../../mail/message.ts';
import type { NewSiteContext } from './new-site-store.ts';

export interface NewSiteLinks {
  readonly title: string;
  readonly site_url: string;
  readonly admin_url: string;
}

/** The mail to a new site's administrator, as the network words it; null where it wants none. */
export function welcomeMail(
  { options, login, email, domain }: NewSiteContext,
  site: NewSiteLinks,
): MailMessage | null {
  const text = options.welcome_email ?? '';
  if (text.trim() === '') return null;
  const name = options.site_name ?? domain;
  const values: Readonly<Record<string, string>> = {
    SITE_NAME: name,
    BLOG_URL: site.site_url,
    USERNAME: login,
    LOGINLINK: site.admin_url,
  };
  return {
    from: { name, address: options.admin_email || `no-reply@${domain}` },
    to: email,
    subject: `New ${name} site: ${site.title}`,
    // In one pass: what a title brings in is not read again.
    text: text.replaceAll(/SITE_NAME|BLOG_URL|USERNAME|LOGINLINK/g, (word) => values[word] ?? word),
  };
}
