import { word, yup } from '@lyceum/core';

/** Whose license: the network's or the site's. Default: the widest that the caller may manage. */
export const scopeField = () => word('network', 'site');

/** Looked up among the products, so any text may be asked for. */
export const productParams = yup.object({ product_id: yup.string().required() });
