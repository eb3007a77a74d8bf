/** SCORM 2004. The course says how much of it was seen and when that is all, and nothing about success. */
(() => {
  const alreadyInitialized = '103';

  window.coursePlayer.createRuntime = () => {
    const api = window.coursePlayer.findApi('API_1484_11', 'Initialize');
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
    const set = (name, value) => call('SetValue', name, value);

    function commit() {
      if (!isOpen) return;
      set('cmi.session_time', window.coursePlayer.duration(since));
      call('Commit', '');
    }

    return {
      async open() {
        const isReady =
          api && (call('Initialize', '') === 'true' || call('GetLastError') === alreadyInitialized);
        if (!isReady) return null;
        isOpen = true;
        isDone = call('GetValue', 'cmi.completion_status') === 'completed';
        const kept = {
          bookmark: call('GetValue', 'cmi.location'),
          seen: call('GetValue', 'cmi.suspend_data'),
        };
        if (!isDone) set('cmi.completion_status', 'incomplete');
        set('cmi.exit', isDone ? 'normal' : 'suspend');
        commit();
        return kept;
      },
      show({ bookmark, seen, share, isComplete }) {
        if (!isOpen) return;
        set('cmi.location', bookmark);
        set('cmi.suspend_data', seen);
        if (!isDone) {
          // Rounded it would be 1 before the last of many pages was seen.
          set(
            'cmi.progress_measure',
            isComplete ? '1' : String(Math.min(0.99, Math.round(share * 100) / 100)),
          );
        }
        if (isComplete && !isDone) {
          isDone = true;
          set('cmi.completion_status', 'completed');
          set('cmi.exit', 'normal');
        }
        commit();
      },
      save: commit,
      end() {
        if (!isOpen) return;
        set('cmi.session_time', window.coursePlayer.duration(since));
        isOpen = false;
        call('Terminate', '');
      },
    };
  };
})();
