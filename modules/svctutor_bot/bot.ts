import type { Sealed } from '@lyceum/core';

export const kinds = ['messenger', 'social', 'chat_widget'] as const;
export type Kind = (typeof kinds)[number];

export type Delivery = 'response' | 'callback';

/** Names of what nobody is shown, by kind. */
export const secretNames = {
  messenger: ['token', 'secret_token'],
  social: ['access_token', 'secret'],
  chat_widget: ['secret', 'provider_token'],
} as const satisfies Readonly<Record<Kind, readonly string[]>>;

export type SecretName = (typeof secretNames)[Kind][number];

/** How a bot is set up; what its kind does not have is absent. Secrets are sealed. */
export type Configuration = {
  readonly greeting: string | null;
  readonly fallback_text: string | null;
  /** Null: the language of the site. */
  readonly lang: string | null;
  readonly api_base_url?: string;
  readonly api_version?: string;
  readonly group_id?: number;
  readonly confirmation?: string;
  readonly allowed_origins?: readonly string[];
  readonly delivery?: Delivery;
  readonly callback_base_url?: string | null;
} & { readonly [name in SecretName]?: Sealed };

export interface Bot {
  readonly id: number;
  readonly blog_id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly enabled: boolean;
  readonly configuration: Configuration;
  readonly created_at: string;
  readonly modified_at: string;
}
