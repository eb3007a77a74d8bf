import { yup } from '@lyceum/core';

/** A user as his own clients see him. */
export const Account = yup.object({
  id: yup.number().integer().required(),
  displayName: yup.string().defined(),
  email: yup.string().required(),
  nicename: yup.string().required(),
});

interface Named {
  readonly id: number;
  readonly display_name: string;
  readonly email: string;
  readonly nicename: string;
}

export const accountOf = ({ id, display_name, email, nicename }: Named) => ({
  id,
  displayName: display_name,
  email,
  nicename,
});

export const accountExample = { id: 5, displayName: 'Ann', email: 'ann@example.org', nicename: 'ann' };
