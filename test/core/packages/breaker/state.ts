/** What the breaker shares with the test that loads it: both are in one process. */
export const clients = { waiting: 0, gone: 0 };
