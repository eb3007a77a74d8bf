import { defineModule } from '@lyceum/core';

/** The smallest package that says: a page builder is installed. */
export default defineModule({ id: 'pagebuilder', title: 'Page builder' });
