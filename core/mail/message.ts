/** Whom a mail names: his name, and the bare address. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A mail to one person. Links in it are built from stored addresses, never from a request's. */
export interface MailMessage {
  readonly from: MailAddress;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for clients that show HTML. Without it the mail is plain text. */
  readonly html?: string;
}
