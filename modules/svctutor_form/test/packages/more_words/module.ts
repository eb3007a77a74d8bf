import { defineModule } from '@lyceum/core';

/** Brings translations, and nothing else. */
export default defineModule({ id: 'more_words', title: 'More words' });
