import { time, word, yup } from '@lyceum/core';

/** A connection of a desktop studio. Times are RFC 3339. */
export interface Connection {
  readonly connection_id: string;
  readonly network_id: number;
  /** Where it was made. */
  readonly blog_id: number;
  readonly user_id: number;
  readonly device_name: string;
  readonly platform: string | null;
  readonly app_version: string | null;
  readonly created_at: string;
  /** null: not since it was made. */
  readonly last_used_at: string | null;
  readonly status: 'connected' | 'revoked';
}

/** Days of silence after which a connection is over; 0: none. */
export const idleDaysOf = (call: { setting<T>(name: string): T }): number =>
  call.setting<number>('connection_idle_days');

const device = {
  device_name: yup.string().required(),
  platform: yup.string().nullable().defined(),
  app_version: yup.string().nullable().defined(),
};

/** As lists show it. */
export const ConnectionRecord = yup.object({
  connection_id: yup.string().required(),
  status: word('connected', 'revoked').required(),
  user_id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  ...device,
  created_at: time().required(),
  last_used_at: time().nullable().defined(),
});

/** As it sees itself. */
export const ownConnectionFields = {
  connection_id: yup.string().required(),
  status: word('connected').required(),
  ...device,
  created_at: time().required(),
  last_used_at: time().nullable().defined(),
};

/** What ends a connection answers, whoever ends it. */
export const DisconnectResult = yup.object({
  success: yup.boolean().required(),
  connection_id: yup.string().required(),
  status: word('revoked').required(),
});

export const revoked = (connectionId: string) => ({
  success: true,
  connection_id: connectionId,
  status: 'revoked',
});

export const exampleId = '6f1f7a52-4f0e-4a6a-9d57-0d4c9d5b2a10';

export const connectionExample = {
  connection_id: exampleId,
  status: 'connected',
  user_id: 5,
  blog_id: 1,
  device_name: "Ann's laptop",
  platform: 'linux',
  app_version: '2.4.0',
  created_at: '2026-05-04T08:00:00.000Z',
  last_used_at: '2026-05-04T09:30:00.000Z',
} as const;
