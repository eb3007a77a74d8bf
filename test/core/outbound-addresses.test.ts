import { expect } from 'chai';
import { isAllowEntry, names } from '../../core/outbound/allow-list.ts';
import { isForbiddenAddress } from '../../core/outbound/forbidden-addresses.ts';

describe('outbound: addresses', () => {
  it('forbids what leads to this machine, its network, to many or to nobody', () => {
    const forbidden = [
      '0.0.0.0',
      '0.1.2.3',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.19.0.1',
      '224.0.0.1',
      '239.255.255.255',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '2001:db8::1',
      '2001::1',
      '2002:7f00:1::',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      'localhost',
      '',
      '127.1',
    ];
    expect(forbidden.filter((address) => !isForbiddenAddress(address))).to.deep.equal([]);
  });

  it('lets public addresses pass', () => {
    const open = [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '172.32.0.1',
      '100.128.0.1',
      '223.255.255.255',
      '2606:4700:4700::1111',
      '2a00:1450:4001::1',
      '64:ff9b::808:808',
    ];
    expect(open.filter(isForbiddenAddress)).to.deep.equal([]);
  });

  it('reads hosts, host:port and ranges, and nothing else', () => {
    const good = [
      'localhost',
      'models.internal',
      'models.internal:9000',
      '127.0.0.1',
      '127.0.0.1:8080',
      '10.0.0.0/8',
      'fd00::/8',
      '::1',
      '[::1]',
      '[::1]:9000',
    ];
    const bad = [
      '',
      ' ',
      'http://localhost',
      'user@localhost',
      'localhost/path',
      'localhost:0',
      'localhost:65536',
      '10.0.0.0/33',
      'fd00::/129',
      '300.1.1.1',
      'a b',
    ];
    expect(good.filter((text) => !isAllowEntry(text))).to.deep.equal([]);
    expect(bad.filter(isAllowEntry)).to.deep.equal([]);
  });

  it('names a target by host, by host and port, by address and by range', () => {
    const target = { host: 'models.internal', port: 9000, address: '10.1.2.3' };
    const naming = [
      'models.internal',
      'MODELS.internal.',
      'models.internal:9000',
      '10.1.2.3',
      '10.1.2.3:9000',
      '10.0.0.0/8',
    ];
    const other = ['internal', 'models.internal:80', '10.1.2.4', '10.1.2.3:80', '10.2.0.0/16', 'fd00::/8'];
    expect(naming.filter((entry) => !names([entry], target))).to.deep.equal([]);
    expect(names(other, target)).to.equal(false);
    const mapped = { host: '[::ffff:7f00:1]', port: 80, address: '::ffff:7f00:1' };
    expect(names(['127.0.0.1'], mapped)).to.equal(true);
    expect(names(['[::1]:80'], { host: '[::1]', port: 80, address: '::1' })).to.equal(true);
  });
});
