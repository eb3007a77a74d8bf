/**
 * Runs in the browser. It changes nothing until the button is pressed: mail scanners run scripts, too. The token goes
 * from the fragment into the body of one request, and the page leaves by the path of the answer's address, so that
 * the cookie of this host name holds there.
 */
export const landingScript = `
(() => {
  const form = document.querySelector('form');
  const field = form.querySelector('input');
  const button = form.querySelector('button');
  const problems = [...document.querySelectorAll('[data-problem]')];
  const says = (code) => problems.forEach((one) => { one.hidden = one.dataset.problem !== code; });
  const tokenIn = (text) => (/(?:^|#token=)(ml_[A-Za-z0-9_-]{43})$/.exec(text.trim()) || [])[1];
  const ready = () => {
    const token = tokenIn(location.hash);
    document.querySelector('#paste').hidden = token !== undefined;
    field.required = token === undefined;
    document.querySelector('.incomplete').hidden = token !== undefined;
  };
  const leave = (address) => {
    const { pathname, search, hash } = new URL(address, location.href);
    location.replace(pathname + search + hash);
  };
  const send = async () => {
    const token = tokenIn(location.hash) || tokenIn(field.value);
    if (!token) return 'magic_links_invalid';
    const answer = await fetch(form.dataset.consume, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const body = await answer.json();
    if (!answer.ok) return body.code;
    leave(body.redirect || form.dataset.home);
    return null;
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    const label = button.textContent;
    button.disabled = true;
    button.textContent = button.dataset.working;
    says(null);
    const code = await send().catch(() => 'offline');
    if (code === null) return;
    button.disabled = false;
    button.textContent = label;
    says(problems.some((one) => one.dataset.problem === code) ? code : 'offline');
    button.focus();
  });
  addEventListener('hashchange', ready);
  ready();
})();
`;
