/** The shell: shows a page in the frame, knows which one it is, and tells the system that launched the course. */
(() => {
  const player = window.coursePlayer;
  /** @template {HTMLElement} T @param {string} id @returns {T} */
  const element = (id) => /** @type {T} */ (document.getElementById(id));
  /** Where the course has no header there is none of it. @param {string} id */
  const optional = (id) => document.getElementById(id);

  /** @type {CourseData} */
  const course = JSON.parse(element('course').textContent ?? '');
  const { pages, words } = course;
  const progress = player.createProgress(pages.map(({ id }) => id));
  const menu = player.createMenu(course);
  const runtime = player.createRuntime(course);
  const frame = /** @type {HTMLIFrameElement} */ (element('frame'));
  const about = optional('about');

  /** Place of the page that is shown, or was before something else was. */
  let at = 0;
  let isAbout = false;
  let isFirst = true;
  /** Place that the frame is on its way to. @type {number | null} */
  let wanted = null;
  /** Whether the learner asked for a page outside of the frame, which then takes the focus. */
  let wantsFocus = false;

  /** Something is on its way: the system that launched the course, or a page. @param {boolean} isBusy */
  const setBusy = (isBusy) => element('page').setAttribute('aria-busy', String(isBusy));

  /** @param {number} place */
  function go(place) {
    const page = pages[place];
    if (!page) return;
    wanted = place;
    setBusy(true);
    frame.src = page.href;
  }

  /** @param {string} id @param {number} place @param {string | undefined} title */
  function setStep(id, place, title) {
    const step = optional(id);
    const target = pages[place];
    if (!step) return;
    step.classList.toggle('gone', !target);
    if (target) {
      step.setAttribute('href', target.href);
      step.dataset.place = String(place);
    } else {
      step.removeAttribute('href');
    }
    element(`${id}-title`).textContent = title ?? target?.title ?? '';
  }

  function drawSteps() {
    optional('pager')?.removeAttribute('hidden');
    setStep('previous', isAbout ? -1 : at - 1, undefined);
    setStep('next', isAbout ? at : at + 1, undefined);
    const word = optional('next-word');
    if (word) word.textContent = (isAbout ? words.backToCourse : words.next) ?? '';
    const done = optional('done');
    if (done) done.hidden = !progress.isComplete || isAbout || at < pages.length - 1;
    const position = optional('position');
    if (position) {
      position.textContent = isAbout
        ? ''
        : player.fill(words.pageOf ?? '', { number: at + 1, total: pages.length });
    }
  }

  function drawProgress() {
    menu.mark(progress);
    const text = optional('progress-text');
    if (!text) return;
    text.textContent = player.fill(words.seenOf ?? '', { seen: progress.seen, total: progress.total });
    /** @type {HTMLProgressElement} */ (element('progress')).value = progress.seen;
    document.body.classList.toggle('complete', progress.isComplete);
  }

  /** @param {string} text */
  function notice(text) {
    element('notice').textContent = text;
    element('notice').hidden = false;
  }

  /** A page of the course is in the frame. @param {number} place */
  function shown(place) {
    const page = pages[place];
    if (!page) return;
    wanted = null;
    setBusy(false);
    isAbout = false;
    at = place;
    const wasComplete = progress.isComplete;
    progress.see(page.id);
    about?.removeAttribute('aria-current');
    menu.setCurrent(page.id);
    drawProgress();
    drawSteps();
    frame.title = page.title;
    document.title = `${page.title} – ${course.name}`;
    if (!isFirst) {
      const said = player.fill(words.shown ?? '', { number: at + 1, total: pages.length, title: page.title });
      const ending = progress.isComplete && !wasComplete ? ` ${words.allSeen}` : '';
      element('status').textContent = said + ending;
    }
    isFirst = false;
    runtime.show({
      page,
      bookmark: String(page.id),
      seen: progress.toText(),
      share: progress.share,
      isComplete: progress.isComplete,
    });
  }

  function shownAbout() {
    wanted = null;
    setBusy(false);
    isAbout = true;
    menu.setCurrent(null);
    about?.setAttribute('aria-current', 'page');
    frame.title = about?.textContent ?? '';
    drawSteps();
  }

  // What is in the frame says which file it is: a link inside of a page may have led to another one.
  window.addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || data?.coursePage !== 'shown') return;
    if (data.file === 'about.html') shownAbout();
    else {
      const place = pages.findIndex(({ href }) => href === data.file);
      if (place === -1) return;
      // The frame may have told of its loading before this came.
      const isKnown = place === at && wanted === null && !isAbout && !isFirst;
      if (!isKnown) shown(place);
    }
    frame.contentWindow?.postMessage(
      { courseShell: 'welcome', focus: wantsFocus, muted: runtime.isMuted === true },
      '*',
    );
    if (wantsFocus) frame.focus();
    wantsFocus = false;
  });
  // A page whose own scripts broke says nothing; it is shown all the same.
  frame.addEventListener('load', () => {
    if (wanted !== null) shown(wanted);
  });

  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest('a');
    if (!link?.hasAttribute('href')) return;
    if (link === about) {
      wantsFocus = true;
      menu.close();
    } else if (link.dataset.page || link.dataset.place) {
      event.preventDefault();
      menu.close();
      wantsFocus = true;
      go(
        link.dataset.page
          ? pages.findIndex(({ id }) => id === Number(link.dataset.page))
          : Number(link.dataset.place),
      );
    } else if (link.id === 'skip') {
      event.preventDefault();
      frame.focus();
    }
  });

  window.addEventListener('beforeunload', () => runtime.save());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') runtime.save();
  });
  window.addEventListener('pagehide', () => runtime.end());
  // The browser kept the course as it was, but its session is over.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) notice(words.ended ?? '');
  });

  function offerExit() {
    const address = runtime.exitAddress;
    if (!address) return;
    for (const button of document.querySelectorAll('[data-exit]')) {
      /** @type {HTMLElement} */ (button).hidden = false;
      button.addEventListener('click', () => {
        runtime.end();
        location.assign(address);
      });
    }
  }

  setBusy(true);
  runtime
    .open()
    .catch(() => null)
    .then((kept) => {
      if (kept) progress.read(kept.seen);
      else notice(words.untracked ?? '');
      offerExit();
      const marked = pages.findIndex(({ id }) => String(id) === kept?.bookmark);
      go(Math.max(0, marked));
    });
})();
