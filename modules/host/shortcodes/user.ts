import { type Caller, defineShortcode, html, word, yup } from '@lyceum/core';

const fields = {
  displayName: ({ display_name }: Caller) => display_name,
  login: ({ login }: Caller) => login,
  email: ({ email }: Caller) => email,
  id: ({ id }: Caller) => String(id),
} as const;

export const user = defineShortcode({
  tag: 'user',
  title: 'The reader: [user field="displayName"], login, email or id',
  attributes: yup.object({
    field: word('displayName', 'login', 'email', 'id').default('displayName'),
  }),
  dynamic: true,
  render: ({ attributes }, { user: reader }) => (reader ? html`${fields[attributes.field](reader)}` : html``),
});
