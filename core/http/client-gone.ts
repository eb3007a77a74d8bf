/** Why the signal of a call aborts when nobody waits for its answer any more. No fault of anybody. */
export class ClientGone extends Error {
  constructor() {
    super('The client went away.');
    this.name = 'ClientGone';
  }
}
