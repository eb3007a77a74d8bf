/** A course that a system launched by xAPI 1.0.3: everything about it stands in its address. */
(() => {
  const player = window.coursePlayer;
  const types = 'http://adlnet.gov/expapi/activities';

  /** Older systems give lists where there is one value, and names of their own for an account. @param {string} text */
  function readActor(text) {
    /** @param {any} value */
    const first = (value) => (Array.isArray(value) ? value[0] : value);
    const given = JSON.parse(text);
    /** @type {Record<string, unknown>} */
    const actor = { objectType: given.objectType === 'Group' ? 'Group' : 'Agent' };
    for (const name of ['name', 'mbox', 'mbox_sha1sum', 'openid', 'member']) {
      const value = name === 'member' ? given[name] : first(given[name]);
      if (value !== undefined) actor[name] = value;
    }
    const account = first(given.account);
    if (account) {
      actor.account = {
        homePage: account.homePage ?? account.accountServiceHomePage,
        name: account.name ?? account.accountName,
      };
    }
    return actor;
  }

  player.createRuntime = (course) => {
    const given = new URLSearchParams(location.search);
    const endpoint = given.get('endpoint') ?? '';
    /** @type {Record<string, unknown>} */
    let actor;
    try {
      actor = readActor(given.get('actor') ?? '');
    } catch {
      return player.untracked;
    }
    if (!/^https?:/.test(endpoint)) return player.untracked;

    const registration = given.get('registration') ?? '';
    const activity = given.get('activity_id') || course.iri;
    const whole = {
      objectType: 'Activity',
      id: activity,
      definition: { type: `${types}/course`, name: { [course.language]: course.name } },
    };
    const store = player.createRecordStore({
      endpoint,
      authorization: given.get('auth') ?? '',
      activity,
      actor,
      registration,
    });
    return player.createSession({
      store,
      tellsPages: true,
      isRecorded: true,
      statement: (_verb, page) => ({
        actor,
        object: page
          ? {
              objectType: 'Activity',
              id: page.iri,
              definition: { type: `${types}/lesson`, name: { [course.language]: page.title } },
            }
          : whole,
        context: {
          ...(registration && { registration }),
          ...(page && { contextActivities: { parent: [whole], grouping: [whole] } }),
        },
      }),
    });
  };
})();
