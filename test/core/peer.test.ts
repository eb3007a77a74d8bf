import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { Peers } from '../../core/http/peer.ts';

/** The address of the client behind a proxy at 10.0.0.1 that says this. */
function clientOf(forwarded: string, trusted: readonly string[] = ['10.0.0.0/8']): string {
  const request = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } };
  return new Peers(trusted, false).of(request as unknown as IncomingMessage).ip;
}

describe('the peer of a request', () => {
  it('is the last hop that no trusted proxy added', () => {
    expect(clientOf('1.1.1.1, 8.8.8.8')).to.equal('8.8.8.8');
    expect(clientOf('1.1.1.1, 8.8.8.8, 10.0.0.2')).to.equal('8.8.8.8');
    expect(clientOf('::ffff:8.8.8.8')).to.equal('8.8.8.8');
  });

  it('is read with the port that some proxies add', () => {
    expect(clientOf('8.8.8.8:1234')).to.equal('8.8.8.8');
    expect(clientOf('1.1.1.1, [2001:db8::1]:1234')).to.equal('2001:db8::1');
    expect(clientOf('[2001:db8::1]')).to.equal('2001:db8::1');
    expect(clientOf('2001:db8::1')).to.equal('2001:db8::1');
  });

  it('is known to be encrypted by TLS here or by the word of a trusted proxy, not by what cookies promise', () => {
    const of = (remoteAddress: string, proto: string, encrypted: boolean, secure: boolean) => {
      const request = { socket: { remoteAddress, encrypted }, headers: { 'x-forwarded-proto': proto } };
      const peer = new Peers(['10.0.0.1'], secure).of(request as unknown as IncomingMessage);
      return [peer.https, peer.secure];
    };
    expect(of('10.0.0.1', 'https', false, false)).to.deep.equal([true, true]);
    expect(of('10.0.0.1', 'http', false, true)).to.deep.equal([false, true]);
    expect(of('10.0.0.2', 'https', false, false)).to.deep.equal([false, false]);
    expect(of('10.0.0.2', 'http', true, false)).to.deep.equal([true, true]);
  });

  it('is the proxy itself where the header names no address, and where it is not trusted', () => {
    expect(clientOf('unknown')).to.equal('10.0.0.1');
    expect(clientOf('8.8.8.8', ['10.0.0.2'])).to.equal('10.0.0.1');
  });
});
