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

describe('places in a line', () => {
  const never = new AbortController().signal;
  const patient = { ms: 60_000, signal: never };

  it('are given back once, to whoever waits longest', async () => {
    const turns = new Turns(1);
    const leave = await turns.enter('a', patient);
    const order: number[] = [];
    const [second, third] = [1, 2].map(async (name) => {
      const given = await turns.enter('a', patient);
      order.push(name);
      return given;
    });
    expect(await turns.enter('b', patient)).to.be.a('function');
    leave?.();
    leave?.();
    const leaveSecond = await second;
    await Promise.resolve();
    expect(order).to.deep.equal([1]);
    leaveSecond?.();
    expect(await third).to.be.a('function');
    expect(order).to.deep.equal([1, 2]);
  });

  it('are not waited for longer than somebody wants to, and nobody is kept who went away', async () => {
    const turns = new Turns(1);
    const leave = await turns.enter('a', patient);
    expect(await turns.enter('a', { ms: 5, signal: never })).to.equal(null);
    const controller = new AbortController();
    const waiting = turns.enter('a', { ms: 60_000, signal: controller.signal });
    controller.abort();
    expect(await waiting).to.equal(null);
    expect(await turns.enter('b', { ms: 0, signal: controller.signal })).to.equal(null);
    leave?.();
    expect(await turns.enter('a', { ms: 0, signal: never })).to.be.a('function');
    expect(await turns.run('b', async () => 'free')).to.equal('free');
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
