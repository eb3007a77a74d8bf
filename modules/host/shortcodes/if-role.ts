import { type Caller, defineShortcode, html, roles, word, yup } from '@lyceum/core';

/** Whoever may do everything on the site is an administrator of it, member or not. */
const hasRole = ({ role, super_admin }: Caller, wanted: string): boolean =>
  role === wanted || (super_admin && wanted === 'administrator');

export const ifRole = defineShortcode({
  tag: 'if_role',
  title: 'For readers of one role: [if_role role="editor"]…[/if_role]',
  attributes: yup.object({ role: word(...roles).required() }),
  dynamic: true,
  render: ({ attributes, inner }, { user }) => (user && hasRole(user, attributes.role) ? inner() : html``),
});
