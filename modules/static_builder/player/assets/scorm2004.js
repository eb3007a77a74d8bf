/** SCORM 2004. The course says how much of it was seen and when that is all, and nothing about success. */
(() => {
  window.coursePlayer.createRuntime = () =>
    window.coursePlayer.createScorm({
      object: 'API_1484_11',
      calls: {
        begin: 'Initialize',
        end: 'Terminate',
        get: 'GetValue',
        set: 'SetValue',
        commit: 'Commit',
        error: 'GetLastError',
      },
      elements: {
        status: 'cmi.completion_status',
        bookmark: 'cmi.location',
        seen: 'cmi.suspend_data',
        time: 'cmi.session_time',
        exit: 'cmi.exit',
        share: 'cmi.progress_measure',
      },
      done: ['completed'],
      exitWhenDone: 'normal',
      timespan: window.coursePlayer.duration,
    });
})();
