import { idText, roles, word, yup } from '@lyceum/core';

const languageForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

export const email = () => yup.string().email().max(254);
export const role = () => word(...roles).nullable();

/** The user in a path: an id, or `me`. */
export const userIdText = () =>
  idText().meta({
    jsonSchema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', const: 'me' },
      ],
    },
  });

/** What a new account and a change of one have in common. */
export const accountFields = () => ({
  password: yup.string().min(8).max(256),
  display_name: yup.string().min(1).max(200),
  first_name: yup.string().max(100),
  last_name: yup.string().max(100),
  locale: yup.string().max(35).matches(languageForm),
});
