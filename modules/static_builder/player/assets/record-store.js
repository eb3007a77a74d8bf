/**
 * A learning record store. Statements go out one request after the other, because their order is what they say;
 * what could not be sent waits and is tried again, and everything is sent when the window closes.
 */
(() => {
  const version = '1.0.3';
  const patience = 8000;
  const longestWait = 30_000;
  /** Statements of one request. A request that outlives its window may have 64 KiB. */
  const mostAtOnce = 20;

  /** @param {number} status 0 for no answer */
  const isPassing = (status) => status === 0 || status === 408 || status === 429 || status >= 500;

  window.coursePlayer.createRecordStore = ({ endpoint, authorization, activity, actor, registration }) => {
    const base = endpoint.endsWith('/') ? endpoint : `${endpoint}/`;
    const whose = JSON.stringify(actor);

    /**
     * @param {'GET' | 'PUT' | 'POST'} method
     * @param {string} address
     * @param {string | null} body
     */
    const ask = (method, address, body) =>
      fetch(base + address, {
        method,
        body,
        headers: {
          'X-Experience-API-Version': version,
          ...(authorization && { Authorization: authorization }),
          ...(body !== null && { 'Content-Type': 'application/json' }),
        },
        keepalive: method !== 'GET',
        cache: 'no-store',
        signal: AbortSignal.timeout(patience),
      });

    /** @param {string} name */
    const stateAddress = (name) =>
      `activities/state?${new URLSearchParams({
        activityId: activity,
        agent: whose,
        ...(registration && { registration }),
        stateId: name,
      })}`;

    /** A document of the store, asked for twice before it counts as out of reach. @param {string} address */
    async function read(address) {
      for (let tries = 1; ; tries += 1) {
        const answer = await ask('GET', address, null).catch(() => null);
        if (answer?.status === 404 || answer?.status === 204) return null;
        if (answer?.ok) return answer.json().catch(() => null);
        if (tries === 2 || !isPassing(answer?.status ?? 0))
          throw new Error(`The store answers ${answer?.status}.`);
      }
    }

    /** @type {{ statement: Statement, settle: () => void }[]} */
    const waiting = [];
    /** How many of the first of them are on their way. */
    let underway = 0;
    let failures = 0;
    let isOneByOne = false;

    /** @param {number} count */
    const settle = (count) => {
      for (const { settle: told } of waiting.splice(0, count)) told();
      isOneByOne = false;
      failures = 0;
    };

    /** @param {readonly { statement: Statement }[]} batch */
    const post = (batch) =>
      ask('POST', 'statements', JSON.stringify(batch.map(({ statement }) => statement))).then(
        ({ ok, status }) => (ok ? 200 : status),
        () => 0,
      );

    async function pump() {
      if (underway > 0) return;
      while (waiting.length > 0) {
        underway = isOneByOne ? 1 : Math.min(waiting.length, mostAtOnce);
        const sent = underway;
        const status = await post(waiting.slice(0, sent));
        underway = 0;
        if (status === 200) settle(sent);
        else if (isPassing(status)) {
          failures += 1;
          setTimeout(pump, Math.min(longestWait, 1000 * 2 ** failures));
          return;
        } else if (sent > 1) {
          // One of them is refused, and the others with it: find out which.
          isOneByOne = true;
        } else {
          // 409: the store has it already. Anything else will be no better the next time.
          settle(1);
        }
      }
    }

    /** @type {Map<string, { text: string, told: (() => void)[] }>} */
    const unsaved = new Map();
    let isSaving = false;

    async function saveStates() {
      if (isSaving) return;
      isSaving = true;
      for (const [name, kept] of unsaved) {
        unsaved.delete(name);
        await ask('PUT', stateAddress(name), kept.text).catch(() => null);
        for (const told of kept.told) told();
      }
      isSaving = false;
      if (unsaved.size > 0) await saveStates();
    }

    return {
      readState: (name) => read(stateAddress(name)),
      readProfile: (name) => read(`agents/profile?${new URLSearchParams({ agent: whose, profileId: name })}`),
      keepState: (name, content) =>
        new Promise((resolve) => {
          const before = unsaved.get(name)?.told ?? [];
          unsaved.set(name, { text: JSON.stringify(content), told: [...before, resolve] });
          saveStates();
        }),
      record: (statement) =>
        new Promise((resolve) => {
          waiting.push({ statement, settle: resolve });
          pump();
        }),
      flush() {
        for (const [name, { text }] of unsaved) ask('PUT', stateAddress(name), text).catch(() => null);
        unsaved.clear();
        const rest = waiting.splice(underway);
        if (rest.length > 0) post(rest);
      },
    };
  };
})();
