import { expect } from 'chai';
import { startTestHost, type TestHost } from '../kit/index.ts';

describe('dispatch', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost();
  });
  after(() => lyceum.stop());

  it('answers an unknown route with the error body of the contract', async () => {
    const answer = await lyceum.anonymous.get('acme/nothing/v1/x').expect(404);
    expect(answer.body.code).to.equal('rest_no_route');
    expect(answer.body.data).to.deep.equal({ status: 404 });
    expect(answer.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
  });
});
