import { defineModule } from '@lyceum/core';

/** Sold by itself, and as a part of a product that others are sold under too. */
export default defineModule({
  id: 'shop',
  title: 'Shop',
  products: [
    {
      product_id: 'acme.shop',
      name: 'Shop',
      item_id: 77,
      item_name: 'Acme Shop',
      public_keys: ['d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'],
    },
    { product_id: 'svclms', name: 'Another name', item_id: 78, item_name: 'Another', public_keys: [] },
  ],
});
