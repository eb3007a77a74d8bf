import { type Call, type Caller, time, type UserHere, yup } from '@lyceum/core';

/** A user as others see him; `email` only for himself and for who may list users. */
export const UserRecord = yup.object({
  id: yup.number().integer().required(),
  login: yup.string().required(),
  email: yup.string().optional(),
  display_name: yup.string().defined(),
  nicename: yup.string().required(),
  first_name: yup.string().defined(),
  last_name: yup.string().defined(),
  locale: yup.string().defined(),
  registered: time().required(),
  role: yup.string().nullable().defined(),
  super_admin: yup.boolean().required(),
});

/** Leaves the e-mail out for who may not see it. */
export function userRecord(user: UserHere | Caller, call: Call) {
  if (user.id === call.user?.id || call.can('list_users')) return user;
  const { email: _hidden, ...rest } = user;
  return rest;
}

export const userExample = {
  id: 2,
  login: 'ann',
  email: 'ann@example.com',
  display_name: 'Ann',
  nicename: 'ann',
  first_name: '',
  last_name: '',
  locale: 'en',
  registered: '2026-01-02T03:04:05.000Z',
  role: 'editor',
  super_admin: false,
};
