/**
 * A session as xAPI and cmi5 both tell it: it is initialised, pages are experienced, once it is completed, and it is
 * terminated. The statement of completion gets its id before it is sent, and the id is kept: so a window that closes
 * in between leads neither to two of them nor to none.
 */
(() => {
  const stateName = 'course-player';
  const player = window.coursePlayer;

  player.createSession = ({ store, statement, tellsPages, isRecorded }) => {
    const since = Date.now();
    let isOpen = false;
    let bookmark = '';
    let seen = '';
    let completedId = '';
    let isToldComplete = false;
    /** @type {(() => void) | null} */
    let tellComplete = null;
    /** @type {Set<number>} */
    const told = new Set();

    /**
     * @param {SessionVerb} verb
     * @param {CoursePage | null} page
     * @param {string} id
     */
    const tell = (verb, page, id) =>
      store.record({
        id,
        ...statement(verb, page),
        verb: { id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { en: verb } },
        ...(verb === 'completed' && {
          result: { completion: true, duration: player.duration(Date.now() - since) },
        }),
        ...(verb === 'terminated' && { result: { duration: player.duration(Date.now() - since) } }),
        timestamp: new Date().toISOString(),
      });

    const keep = () =>
      store.keepState(stateName, {
        bookmark,
        seen,
        completed: completedId && { id: completedId, told: isToldComplete },
      });

    /** Says it now, once. */
    function complete() {
      tellComplete = null;
      tell('completed', null, completedId).then(() => {
        isToldComplete = true;
        if (isOpen) keep();
      });
    }

    return {
      async open() {
        /** @type {any} */
        let kept;
        try {
          kept = await store.readState(stateName);
        } catch {
          return null;
        }
        isOpen = true;
        bookmark = String(kept?.bookmark ?? '');
        seen = String(kept?.seen ?? '');
        completedId = String(kept?.completed?.id ?? '');
        isToldComplete = kept?.completed?.told === true;
        tell('initialized', null, player.uuid());
        if (isRecorded && completedId && !isToldComplete) complete();
        return { bookmark, seen };
      },
      show(standing) {
        if (!isOpen || !isRecorded) return;
        ({ bookmark, seen } = standing);
        if (tellsPages && !told.has(standing.page.id)) {
          told.add(standing.page.id);
          tell('experienced', standing.page, player.uuid());
        }
        const isNews = standing.isComplete && completedId === '';
        if (isNews) {
          completedId = player.uuid();
          tellComplete = complete;
        }
        keep().then(() => tellComplete?.());
      },
      save() {},
      end() {
        if (!isOpen) return;
        tellComplete?.();
        isOpen = false;
        tell('terminated', null, player.uuid());
        store.flush();
      },
    };
  };
})();
