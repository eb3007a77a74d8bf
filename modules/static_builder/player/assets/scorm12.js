/** SCORM 1.2. */
(() => {
  /** `HHHH:MM:SS.SS` @param {number} milliseconds */
  function timespan(milliseconds) {
    const hundredths = Math.floor(milliseconds / 10);
    /** @param {number} value @param {number} digits */
    const padded = (value, digits) => String(Math.floor(value)).padStart(digits, '0');
    const seconds = `${padded((hundredths / 100) % 60, 2)}.${padded(hundredths % 100, 2)}`;
    return `${padded(hundredths / 360000, 4)}:${padded((hundredths / 6000) % 60, 2)}:${seconds}`;
  }

  window.coursePlayer.createRuntime = () =>
    window.coursePlayer.createScorm({
      object: 'API',
      calls: {
        begin: 'LMSInitialize',
        end: 'LMSFinish',
        get: 'LMSGetValue',
        set: 'LMSSetValue',
        commit: 'LMSCommit',
        error: 'LMSGetLastError',
      },
      elements: {
        status: 'cmi.core.lesson_status',
        bookmark: 'cmi.core.lesson_location',
        seen: 'cmi.suspend_data',
        time: 'cmi.core.session_time',
        exit: 'cmi.core.exit',
        share: null,
      },
      done: ['completed', 'passed', 'failed'],
      exitWhenDone: '',
      timespan,
    });
})();
