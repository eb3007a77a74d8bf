import { time, word, yup } from '@lyceum/core';

export const statuses = ['pending', 'live', 'failed', 'consumed', 'expired', 'revoked'] as const;
export const deliveries = ['mail', 'url'] as const;

/** How a link stands; `expired` follows from the time, and a link whose user left the site is `revoked`. */
export type LinkStatus = (typeof statuses)[number];
export type Delivery = (typeof deliveries)[number];

/** A link as clients see it: without its token. */
export interface Link {
  readonly id: number;
  readonly user_id: number;
  readonly blog_id: number;
  readonly delivery: Delivery;
  readonly status: LinkStatus;
  readonly redirect: string | null;
  readonly created_by: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly consumed_at: string | null;
}

const fields = {
  id: yup.number().integer().required(),
  user_id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  delivery: word(...deliveries).required(),
  status: word(...statuses).required(),
  redirect: yup.string().nullable().defined(),
  created_by: yup.number().integer().required(),
  created_at: time().required(),
  expires_at: time().required(),
  consumed_at: time().nullable().defined(),
};

export const LinkRecord = yup.object(fields);

/** Right after it was made, for whoever is to hand it over. */
export const NewLinkRecord = yup.object({ ...fields, url: yup.string(), token: yup.string() });

export const linkExample = {
  id: 7,
  user_id: 5,
  blog_id: 1,
  delivery: 'mail',
  status: 'pending',
  redirect: null,
  created_by: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-02T03:19:05.000Z',
  consumed_at: null,
};
