import { createHash } from 'node:crypto';
import { fail } from '@lyceum/core';

/** An Agent of xAPI 1.0.3, named by exactly one inverse functional identifier. */
export type Agent = { readonly objectType: 'Agent'; readonly name?: string } & (
  | { readonly mbox: string }
  | { readonly mbox_sha1sum: string }
  | { readonly account: { readonly homePage: string; readonly name: string } }
);

/** What names an agent. */
export type Identifier = 'mbox' | 'mbox_sha1sum' | 'account';

/** Who is to be named. */
export interface Learner {
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
}

export interface AgentWish {
  readonly identifier: Identifier;
  /** Whether the learner's name is said. */
  readonly named: boolean;
  /** Absolute URL: whose accounts they are. */
  readonly homePage: string;
}

/** @throws `turbo_no_email` where the learner has none and would be named by it */
export function agentOf(learner: Learner, { identifier, named, homePage }: AgentWish): Agent {
  const name = named && learner.display_name !== '' ? { name: learner.display_name } : {};
  if (identifier === 'account') {
    return { objectType: 'Agent', ...name, account: { homePage, name: learner.login } };
  }
  if (learner.email === '') fail('turbo_no_email');
  const mbox = `mailto:${learner.email.toLowerCase()}`;
  if (identifier === 'mbox') return { objectType: 'Agent', ...name, mbox };
  const mbox_sha1sum = createHash('sha1').update(mbox, 'utf8').digest('hex');
  return { objectType: 'Agent', ...name, mbox_sha1sum };
}
