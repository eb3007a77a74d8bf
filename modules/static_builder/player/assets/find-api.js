/** Where learning systems of SCORM put the object that a course speaks to. */
(() => {
  // Frames deeper than this are a circle of broken systems.
  const deepest = 100;

  /**
   * @param {Window | null} from
   * @param {string} name
   * @param {string} method
   * @returns {ScormApi | null}
   */
  function upwards(from, name, method) {
    let place = from;
    for (let depth = 0; place && depth < deepest; depth += 1) {
      try {
        const found = /** @type {Record<string, any>} */ (/** @type {unknown} */ (place))[name];
        if (found && typeof found[method] !== 'undefined') return found;
      } catch {
        // A window of another origin: go past it.
      }
      if (place.parent === place) return null;
      place = place.parent;
    }
    return null;
  }

  /** In the windows around the course, then in the one that opened it and those around that one. */
  window.coursePlayer.findApi = (name, method) => {
    const around = window.parent === window ? null : upwards(window.parent, name, method);
    if (around) return around;
    try {
      return upwards(window.opener ?? window.top?.opener ?? null, name, method);
    } catch {
      return null;
    }
  };
})();
