/** A course that a system launched by cmi5, which says exactly what a unit reads first and may say itself. */
(() => {
  const player = window.coursePlayer;
  const categories = 'https://w3id.org/xapi/cmi5/context/categories';

  /** The key of this session. The address gives it out once. @param {string} address */
  async function fetchToken(address) {
    const answer = await fetch(address, {
      method: 'POST',
      cache: 'no-store',
      signal: AbortSignal.timeout(8000),
    });
    const token = (await answer.json())['auth-token'];
    if (typeof token !== 'string' || token === '') throw new Error('The session has no key.');
    return token;
  }

  /** @param {URLSearchParams} given */
  async function launch(given) {
    /** @param {string} name */
    const needed = (name) => {
      const value = given.get(name);
      if (!value) throw new Error(`The launch has no ${name}.`);
      return value;
    };
    const [activity, registration] = [needed('activityId'), needed('registration')];
    const actor = JSON.parse(needed('actor'));
    const token = await fetchToken(needed('fetch'));
    const store = player.createRecordStore({
      endpoint: needed('endpoint'),
      authorization: `Basic ${token}`,
      ...{ activity, actor, registration },
    });
    /** @type {any} */
    const data = await store.readState('LMS.LaunchData');
    if (!data) throw new Error('The launch has no data.');
    /** @type {any} */
    const preferences = await store.readProfile('cmi5LearnerPreferences').catch(() => null);
    const template = data.contextTemplate ?? {};

    const session = player.createSession({
      store,
      tellsPages: false,
      isRecorded: (data.launchMode ?? 'Normal') === 'Normal',
      statement: (verb) => {
        const own = [`${categories}/cmi5`, ...(verb === 'completed' ? [`${categories}/moveon`] : [])];
        return {
          actor,
          object: { objectType: 'Activity', id: activity },
          context: {
            ...template,
            registration,
            contextActivities: {
              ...template.contextActivities,
              category: [
                ...[template.contextActivities?.category ?? []].flat(),
                ...own.map((id) => ({ objectType: 'Activity', id })),
              ],
            },
          },
        };
      },
    });
    return {
      session,
      exitAddress: /^https?:/.test(data.returnURL ?? '') ? String(data.returnURL) : '',
      isMuted: preferences?.audioPreference === 'off',
    };
  }

  player.createRuntime = () => {
    /** @type {CourseRuntime | null} */
    let session = null;
    let exitAddress = '';
    let isMuted = false;
    return {
      async open() {
        try {
          const launched = await launch(new URLSearchParams(location.search));
          ({ session, exitAddress, isMuted } = launched);
          return await session.open();
        } catch {
          return null;
        }
      },
      show: (standing) => session?.show(standing),
      save() {},
      end: () => session?.end(),
      get exitAddress() {
        return exitAddress;
      },
      get isMuted() {
        return isMuted;
      },
    };
  };
})();
