import { expect } from 'chai';
import { addressBlock } from '../../core/auth/address-block.ts';
import { Turns } from '../../core/auth/turns.ts';

describe('turns', () => {
  /** Work that ends when it is told to. */
  function works(turns: Turns, key: string) {
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const begin = (name: number): Promise<number> =>
      turns.run(key, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });
    return { begun, begin, endOne: () => ends.shift()?.() };
  }

  it('let so many work at once, and the others in the order in which they came', async () => {
    const { begun, begin, endOne } = works(new Turns(2), 'a');
    const all = [1, 2, 3, 4].map(begin);
    await Promise.resolve();
    expect(begun).to.deep.equal([1, 2]);
    endOne();
    expect(await all[0]).to.equal(1);
    expect(begun).to.deep.equal([1, 2, 3]);
    endOne();
    endOne();
    expect(await Promise.all([all[1], all[2]])).to.deep.equal([2, 3]);
    endOne();
    expect(await all[3]).to.equal(4);
    expect(begun).to.deep.equal([1, 2, 3, 4]);
  });

  it('are another line for another key', async () => {
    const turns = new Turns(1);
    const [a, b] = [works(turns, 'a'), works(turns, 'b')];
    const both = [a.begin(1), b.begin(2)];
    await Promise.resolve();
    expect([a.begun, b.begun]).to.deep.equal([[1], [2]]);
    a.endOne();
    b.endOne();
    await Promise.all(both);
  });

  it('go on after work that fails', async () => {
    const turns = new Turns(1);
    const failing = turns.run('a', () => Promise.reject(new Error('no')));
    const next = turns.run('a', async () => 'next');
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(await next).to.equal('next');
    expect(await turns.run('a', async () => 'later')).to.equal('later');
  });
});

describe('address blocks', () => {
  it('are an IPv4 address or its /24, and an IPv6 /64 in every spelling', () => {
    expect(addressBlock('203.0.113.77', 32)).to.equal('203.0.113.77');
    expect(addressBlock('203.0.113.77', 24)).to.equal('203.0.113.0/24');
    for (const same of ['2001:db8:0:1::9', '2001:0DB8:0000:0001:ffff:0:0:1', '2001:db8:0:1:0:0:192.0.2.1']) {
      expect(addressBlock(same, 32)).to.equal('2001:db8:0:1::/64');
    }
    expect(addressBlock('::1', 24)).to.equal('0:0:0:0::/64');
    expect(addressBlock('fe80::1%eth0', 32)).to.equal('fe80:0:0:0::/64');
    expect(addressBlock('', 32)).to.equal('unknown');
  });
});
