import { defineModule, defineShortcode, fail, html } from '@lyceum/core';

let times = 0;

/** Fails the first time, and never again. */
const mending = defineShortcode({
  tag: 'mending',
  dynamic: false,
  render: () => {
    times += 1;
    return times === 1 ? fail('rest_conflict') : html`<b>Mended</b>`;
  },
});

export default defineModule({
  id: 'test_mending',
  title: 'A piece that is there the second time',
  defaultEnabled: true,
  shortcodes: [mending],
});
