import type { Product } from './product.ts';

/** Products that are known wherever this module is; of `modules` those count that are installed. */
export const builtInProducts: readonly Product[] = [
  {
    product_id: 'svclms',
    name: 'LMS',
    item_id: 1001,
    item_name: 'SVC LMS',
    public_keys: [],
    modules: ['lms', 'static_builder', 'turbo'],
  },
  {
    product_id: 'svclms-pro',
    name: 'LMS Pro',
    item_id: 1002,
    item_name: 'SVC LMS Pro',
    public_keys: [],
    modules: ['embed_packages'],
  },
  {
    product_id: 'svctutor',
    name: 'Tutor',
    item_id: 1003,
    item_name: 'SVC Tutor',
    public_keys: [],
    modules: ['ai', 'embedding', 'rag'],
  },
  {
    product_id: 'svctutor-forms',
    name: 'Tutor Forms',
    item_id: 1004,
    item_name: 'SVC Tutor Forms',
    public_keys: [],
    modules: ['svctutor_form'],
  },
  {
    product_id: 'svctutor-bot',
    name: 'Tutor Bot',
    item_id: 1005,
    item_name: 'SVC Tutor Bot',
    public_keys: [],
    modules: ['svctutor_bot'],
  },
];
