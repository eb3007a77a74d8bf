/**
 * A session of SCORM. Both versions are the same conversation in other words, which a dialect holds. Systems err in
 * many ways: whatever they answer, the course goes on.
 */
(() => {
  window.coursePlayer.createScorm = ({ object, calls, elements, done, exitWhenDone, timespan }) => {
    const api = window.coursePlayer.findApi(object, calls.begin);
    const since = Date.now();
    let isOpen = false;
    let isDone = false;

    /** @param {string} name @param {string[]} values */
    function call(name, ...values) {
      try {
        return String(api?.[name]?.(...values) ?? '');
      } catch {
        return '';
      }
    }
    /** @param {string} name @param {string} value */
    const set = (name, value) => call(calls.set, name, value);
    /** @param {string} name */
    const get = (name) => call(calls.get, name);

    function commit() {
      if (!isOpen) return;
      set(elements.time, timespan(Date.now() - since));
      call(calls.commit, '');
    }

    return {
      async open() {
        // 103: somebody has begun already, and the session is ours all the same.
        if (!api || (call(calls.begin, '') !== 'true' && call(calls.error) !== '103')) return null;
        isOpen = true;
        isDone = done.includes(get(elements.status));
        const kept = { bookmark: get(elements.bookmark), seen: get(elements.seen) };
        if (!isDone) set(elements.status, 'incomplete');
        set(elements.exit, isDone ? exitWhenDone : 'suspend');
        commit();
        return kept;
      },
      show({ bookmark, seen, share, isComplete }) {
        if (!isOpen) return;
        set(elements.bookmark, bookmark);
        set(elements.seen, seen);
        if (!isDone && elements.share !== null) {
          // Rounded it would be 1 before the last of many pages was seen.
          const most = isComplete ? 1 : 0.99;
          set(elements.share, String(Math.min(most, Math.round(share * 100) / 100)));
        }
        if (!isDone && isComplete) {
          isDone = true;
          set(elements.status, 'completed');
          set(elements.exit, exitWhenDone);
        }
        commit();
      },
      save: commit,
      end() {
        if (!isOpen) return;
        set(elements.time, timespan(Date.now() - since));
        isOpen = false;
        call(calls.end, '');
      },
    };
  };
})();
