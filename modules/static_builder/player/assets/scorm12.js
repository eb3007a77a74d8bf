/** SCORM 1.2. Systems err in many ways: whatever they answer, the course goes on. */
(() => {
  /** `HHHH:MM:SS.SS` @param {number} milliseconds */
  function timespan(milliseconds) {
    const hundredths = Math.floor(milliseconds / 10);
    /** @param {number} value @param {number} digits */
    const padded = (value, digits) => String(Math.floor(value)).padStart(digits, '0');
    const seconds = `${padded((hundredths / 100) % 60, 2)}.${padded(hundredths % 100, 2)}`;
    return `${padded(hundredths / 360000, 4)}:${padded((hundredths / 6000) % 60, 2)}:${seconds}`;
  }

  window.coursePlayer.createRuntime = () => {
    const api = window.coursePlayer.findApi('API', 'LMSInitialize');
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
    const set = (name, value) => call('LMSSetValue', name, value);

    function commit() {
      if (!isOpen) return;
      set('cmi.core.session_time', timespan(Date.now() - since));
      call('LMSCommit', '');
    }

    return {
      async open() {
        if (!api || call('LMSInitialize', '') !== 'true') return null;
        isOpen = true;
        const status = call('LMSGetValue', 'cmi.core.lesson_status');
        isDone = ['completed', 'passed', 'failed'].includes(status);
        const kept = {
          bookmark: call('LMSGetValue', 'cmi.core.lesson_location'),
          seen: call('LMSGetValue', 'cmi.suspend_data'),
        };
        if (!isDone) set('cmi.core.lesson_status', 'incomplete');
        set('cmi.core.exit', isDone ? '' : 'suspend');
        commit();
        return kept;
      },
      show({ bookmark, seen, isComplete }) {
        if (!isOpen) return;
        set('cmi.core.lesson_location', bookmark);
        set('cmi.suspend_data', seen);
        if (isComplete && !isDone) {
          isDone = true;
          set('cmi.core.lesson_status', 'completed');
          set('cmi.core.exit', '');
        }
        commit();
      },
      save: commit,
      end() {
        if (!isOpen) return;
        set('cmi.core.session_time', timespan(Date.now() - since));
        isOpen = false;
        call('LMSFinish', '');
      },
    };
  };
})();
