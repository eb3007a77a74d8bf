/** A page of the course: brings the cues of its films, leads links where they belong, and tells the shell it is there. */
(() => {
  const shell = window.parent === window ? null : window.parent;

  /** @param {any} cue @param {string} settings */
  function place(cue, settings) {
    for (const setting of settings.split(' ')) {
      const [name = '', value = ''] = setting.split(':', 2);
      const [first = '', second = ''] = value.split(',', 2);
      const number = Number.parseFloat(first);
      if (name === 'vertical') cue.vertical = first;
      else if (name === 'align') cue.align = first;
      else if (name === 'size') cue.size = number;
      else if (name === 'position') {
        cue.position = number;
        if (second) cue.positionAlign = second;
      } else if (name === 'line') {
        cue.snapToLines = !first.endsWith('%');
        cue.line = number;
        if (second) cue.lineAlign = second;
      }
    }
  }

  // A file of cues cannot be loaded from a disk, nor by a page of no origin; so they stand in the page.
  const tracks = JSON.parse(document.getElementById('tracks')?.textContent || '[]');
  for (const { media, kind, label, language, isDefault, cues } of tracks) {
    const players = document.querySelectorAll(`[data-tracks="${CSS.escape(media)}"]`);
    for (const player of players) {
      if (!(player instanceof HTMLMediaElement)) continue;
      const track = player.addTextTrack(kind, label, language);
      for (const { start, end, settings, text } of cues) {
        const cue = new VTTCue(start / 1000, end / 1000, text);
        try {
          place(cue, settings);
        } catch {
          // Then it stands where cues usually do.
        }
        track.addCue(cue);
      }
      track.mode = isDefault ? 'showing' : kind === 'metadata' || kind === 'chapters' ? 'hidden' : 'disabled';
    }
  }

  /** Pages lie in one folder; everything else would take the page's place in the frame. @param {string} address */
  const leadsToPage = (address) => /^(?:[^/:?#]*\.html)?(?:[?#]|$)/.test(address);
  const schemesOfTheirOwn = /^(?:mailto|tel|sms|javascript|data|blob):/i;

  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const address = link?.getAttribute('href')?.trim() ?? '';
      if (!link || leadsToPage(address) || schemesOfTheirOwn.test(address) || link.hasAttribute('download'))
        return;
      link.setAttribute('target', '_blank');
      link.setAttribute('rel', 'noopener');
    },
    true,
  );

  window.addEventListener('message', ({ source, data }) => {
    if (!shell || source !== shell || data?.courseShell !== 'welcome') return;
    if (data.muted) {
      for (const media of document.querySelectorAll('audio, video')) {
        /** @type {HTMLMediaElement} */ (media).muted = true;
      }
    }
    if (data.focus) {
      const begin = document.querySelector('h1') ?? document.querySelector('main');
      begin?.setAttribute('tabindex', '-1');
      /** @type {HTMLElement | null} */ (begin)?.focus({ preventScroll: true });
    }
  });

  const file = location.pathname.split('/').slice(-2).join('/');
  // There is nothing secret in it, and the shell may be of no origin, too.
  shell?.postMessage({ coursePage: 'shown', file: file.endsWith('/about.html') ? 'about.html' : file }, '*');
})();
