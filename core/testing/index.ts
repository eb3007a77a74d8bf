/** For tests of modules: boots the true host on a database of its own. */
export * from '../../test/kit/index.ts';
