import { expect } from 'chai';
import { hostCapabilities } from '../../core/auth/capabilities.ts';
import { checkDeclaration } from '../../core/registry/check-declaration.ts';

describe('declarations: products', () => {
  const good = {
    product_id: 'acme.shop',
    name: 'Shop',
    item_id: 7,
    item_name: 'Acme Shop',
    public_keys: ['d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'],
  };
  const check = (products: unknown) => () =>
    checkDeclaration({ id: 'shop', title: 'Shop', products }, 'shop', hostCapabilities);

  it('are taken when they are whole', () => {
    expect(check([good])).to.not.throw();
    const der = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
    expect(check([{ ...good, public_keys: [der] }])).to.not.throw();
    expect(check([{ ...good, public_keys: [] }])).to.not.throw();
  });

  it('are refused by the name of the field', () => {
    const faults: readonly (readonly [unknown, RegExp])[] = [
      [{}, /^products:/],
      [['shop'], /^products: every entry/],
      [[{ ...good, product_id: '../x' }], /^products\.product_id:/],
      [[{ ...good, product_id: '__proto__' }], /^products\.product_id:/],
      [[{ ...good, name: '' }], /^products\.acme\.shop\.name:/],
      [[{ ...good, item_name: 1 }], /^products\.acme\.shop\.item_name:/],
      [[{ ...good, item_id: '7' }], /^products\.acme\.shop\.item_id:/],
      [[{ ...good, item_id: 0 }], /^products\.acme\.shop\.item_id:/],
      [[{ ...good, public_keys: ['abc'] }], /^products\.acme\.shop\.public_keys:/],
      [[{ ...good, price: 5 }], /^products\.acme\.shop\.price:/],
    ];
    for (const [products, message] of faults) expect(check(products)).to.throw(message);
  });
});
