import { expect } from 'chai';
import { Warnings } from '../import/warnings.ts';

describe('host import: warnings', () => {
  it('are at most a thousand, and many of one kind leave room for what is rare', () => {
    const first = new Warnings([]);
    for (let at = 0; at < 2_000; at += 1) first.add('meta_dropped', 'The key was dropped.', `post:${at}`);
    expect(first.list()).to.have.length(900);
    // A run that follows a lost one goes on with what is there.
    const warnings = new Warnings(first.list());
    warnings.add('meta_dropped', 'The key was dropped.', null);
    warnings.add('attachment_not_fetched', 'The server answered 404.', 'attachment:1');
    expect(warnings.list()).to.have.length(901);
    expect(warnings.list().at(-1)).to.deep.equal({
      code: 'attachment_not_fetched',
      message: 'The server answered 404.',
      item: 'attachment:1',
    });
    for (let at = 0; at < 2_000; at += 1) warnings.add(`kind_${at}`, 'Something else.', null);
    expect(warnings.list()).to.have.length(1_000);
  });
});
