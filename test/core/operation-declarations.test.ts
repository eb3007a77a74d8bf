import { expect } from 'chai';
import { hostCapabilities } from '../../core/auth/capabilities.ts';
import { checkDeclaration } from '../../core/registry/check-declaration.ts';

const operation = {
  id: 'shop.buy',
  method: 'POST',
  path: 'acme/shop/v1/buy',
  access: { signedIn: true },
  handle: (): never => expect.fail('not called'),
};

describe('declarations: operations', () => {
  const check = (parts: object) => () =>
    checkDeclaration(
      { id: 'shop', title: 'Shop', namespaces: ['acme/shop/v1'], operations: [{ ...operation, ...parts }] },
      'shop',
      hostCapabilities,
    );

  it('bear the name of their module, so that no other is counted or described for them', () => {
    expect(check({ id: 'shop.buy-now' })).to.not.throw();
    for (const id of ['modules.toggle', 'shopper.buy', 'shop', 'shop.', 'buy']) {
      expect(check({ id }), id).to.throw(/must look like "shop\.verb-noun"/);
    }
  });

  it('can be told: texts, what JSON can say, a status of success', () => {
    expect(
      check({ summary: 'Buy', description: 'Buys.', example: { body: {} }, success: 201 }),
    ).to.not.throw();
    for (const field of ['summary', 'description']) {
      expect(check({ [field]: Symbol('x') })).to.throw(`operations.shop.buy.${field}: must be a text.`);
    }
    expect(check({ example: { body: { price: 1n } } })).to.throw(
      /example: must be something that JSON can say/,
    );
    for (const success of [99, 304, 500, '200', null]) {
      expect(check({ success }), String(success)).to.throw(/success: must be a status from 200 to 299/);
    }
  });

  it('have routes that a client can ask for', () => {
    expect(check({ path: 'acme/shop/v1/things/{id}/of/{other}' })).to.not.throw();
    for (const path of ['..', '.', '', '/y', 'y/', 'a//b', 'a/../b']) {
      expect(check({ path: `acme/shop/v1/${path}` }), path).to.throw(/path: .* has an empty segment/);
    }
    expect(check({ path: 'acme/shop/v1/{id}/{id}' })).to.throw(/path: has \{id\} twice/);
  });

  it('say how long their bodies may be: up to 64 MiB', () => {
    for (const maxBodyBytes of [1, 65_536, 64 * 1024 * 1024]) {
      expect(check({ maxBodyBytes })).to.not.throw();
    }
    for (const maxBodyBytes of [0, -1, 1.5, '5', null, 64 * 1024 * 1024 + 1]) {
      expect(check({ maxBodyBytes })).to.throw(/^operations\.shop\.buy\.maxBodyBytes: must be an integer/);
    }
  });

  it('may have a rule of origins of their own', () => {
    expect(check({ crossOrigin: () => false })).to.not.throw();
    for (const crossOrigin of [true, 'https://a.example', []]) {
      expect(check({ crossOrigin })).to.throw('operations.shop.buy.crossOrigin: must be a function.');
    }
  });

  it('say of what type a stream is', () => {
    for (const streams of ['text/csv', 'application/zip', 'image/svg+xml']) {
      expect(check({ streams })).to.not.throw();
    }
    for (const streams of ['', 'csv', 'text/csv; charset=utf-8', 'TEXT/CSV', 5, null]) {
      expect(check({ streams })).to.throw(/^operations\.shop\.buy\.streams: must be a content type/);
    }
  });
});
