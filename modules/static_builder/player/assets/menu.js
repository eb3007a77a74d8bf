/** The menu of the course: what was seen, where one is, and on narrow windows a panel that opens and closes. */
(() => {
  window.coursePlayer.createMenu = (course) => {
    const menu = /** @type {HTMLElement} */ (document.getElementById('menu'));
    const button = /** @type {HTMLElement} */ (document.getElementById('menu-button'));
    const stage = /** @type {HTMLElement} */ (document.getElementById('page'));
    /** @type {Map<number, HTMLElement>} */
    const links = new Map();
    for (const link of menu.querySelectorAll('a')) links.set(Number(link.dataset.page), link);

    const isOpen = () => button.getAttribute('aria-expanded') === 'true';
    /** @param {boolean} opens */
    function setOpen(opens) {
      button.setAttribute('aria-expanded', String(opens));
      document.body.classList.toggle('menu-open', opens);
    }

    /** Not by `scrollIntoView`: from there the next Tab would begin, and pass by the skip link. */
    function showCurrent() {
      const link = menu.querySelector('[aria-current]')?.getBoundingClientRect();
      const { top, bottom } = menu.getBoundingClientRect();
      if (!link) return;
      if (link.top < top) menu.scrollTop -= top - link.top + link.height;
      else if (link.bottom > bottom) menu.scrollTop += link.bottom - bottom + link.height;
    }

    button.addEventListener('click', () => {
      setOpen(!isOpen());
      if (isOpen()) showCurrent();
    });
    stage.addEventListener('click', () => setOpen(false));
    document.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || !isOpen()) return;
      setOpen(false);
      button.focus();
    });

    return {
      close: () => setOpen(false),
      mark(progress) {
        for (const [id, link] of links) {
          if (!progress.has(id) || link.classList.contains('seen')) continue;
          link.classList.add('seen');
          const words = link.querySelector('[data-seen]');
          if (words) words.textContent = `(${course.words.seen})`;
        }
        for (const group of menu.querySelectorAll('details')) {
          const count = /** @type {HTMLElement | null} */ (group.querySelector('[data-count]'));
          const seen = group.querySelectorAll('a.seen').length;
          if (count) count.textContent = `${seen}/${count.dataset.count}`;
        }
      },
      setCurrent(id) {
        for (const [page, link] of links) {
          if (page !== id) {
            link.removeAttribute('aria-current');
            continue;
          }
          link.setAttribute('aria-current', 'page');
          const group = link.closest('details');
          if (group) group.open = true;
        }
        showCurrent();
      },
    };
  };
})();
