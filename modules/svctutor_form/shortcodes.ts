import { defineShortcode, Html, id, yup } from '@lyceum/core';
import { FormMarkup } from './form/form-markup.ts';

const form = defineShortcode({
  tag: 'form',
  title: 'A form, for readers who may see it: [form id="12"]',
  attributes: yup.object({ id: id().required() }),
  dynamic: true,
  render: async ({ attributes }, call) => new Html(await call.get(FormMarkup).render(call, attributes.id)),
});

export const shortcodes = [form];
