/**
 * Brings a static page to life for whoever is signed in: asks who it is, expands the parts that depend on the visitor,
 * shows forms and hands in what was answered. The only script that runs in such a page. What it finds out it tells by
 * events of the document: `svc-turbo:visitor`, `svc-turbo:actor`, `svc-turbo:expanded`, `svc-turbo:submitted`.
 */
(() => {
  const { page, api } = document.currentScript.dataset;
  const base = new URL(api, document.baseURI);
  /** As many as one request may name. */
  const perRequest = 100;
  let nonce = null;

  const words = {
    en: { send: 'Send', sent: 'Thank you. Your answers were received.', failed: 'This did not work: ' },
    ru: { send: 'Отправить', sent: 'Спасибо. Ваши ответы получены.', failed: 'Не получилось: ' },
  };
  const said = words[document.documentElement.lang.slice(0, 2)] ?? words.en;

  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`svc-turbo:${name}`, { detail }));

  /** The answer of a route; throws its error. Each answer brings the nonce for the next request. */
  async function ask(method, route, body) {
    const headers = { Accept: 'application/json' };
    if (nonce !== null) headers['X-Svc-Nonce'] = nonce;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const answer = await fetch(new URL(route, base), {
      method,
      headers,
      credentials: 'same-origin',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    nonce = answer.headers.get('X-Svc-Nonce') ?? nonce;
    const data = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(data.message), { code: data.code, status: answer.status });
    return data;
  }

  /** Null for nobody. */
  async function visitor() {
    try {
      const session = await ask('GET', 'svc/host/v1/session');
      nonce = session.nonce ?? nonce;
      return session.user;
    } catch (error) {
      if (error.status === 401 || error.status === 403) return null;
      throw error;
    }
  }

  async function nameActor() {
    try {
      tell('actor', await ask('POST', 'svclms/turbo/v1/xapi-actor/session'));
    } catch (error) {
      // Whoever has no address has no actor, and reads the page all the same.
      tell('actor', { actor: null, code: error.code });
    }
  }

  async function expand() {
    const places = [...document.querySelectorAll('svc-dsh')];
    for (let at = 0; at < places.length; at += perRequest) {
      const some = places.slice(at, at + perRequest);
      const shortcodes = some.map(({ dataset }, index) => ({
        key: `${at + index}`,
        shortcode: dataset.shortcode,
      }));
      const { items } = await ask('POST', 'svclms/turbo/v1/dsh/expand', {
        page_id: Number(page),
        shortcodes,
      });
      for (const [index, place] of some.entries()) {
        const item = items[`${at + index}`];
        // Where one fails, what stands there stays.
        if (item.error) place.dataset.error = item.error.code;
        else place.innerHTML = item.html;
      }
    }
    tell('expanded', { places: places.length });
  }

  /** Also where the page is not served over https, and `crypto.randomUUID` is not there. */
  function uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  /** How a slot is asked for, and what of its input is its value and its text. */
  const inputs = {
    number: {
      datatype: 'number',
      make: () => element('input', { type: 'number', step: 'any' }),
      read: ({ value }) => (value === '' ? [null, ''] : [Number(value), value]),
    },
    boolean: {
      datatype: 'boolean',
      make: () => element('input', { type: 'checkbox' }),
      read: ({ checked }) => [checked, String(checked)],
    },
    date: {
      datatype: 'date',
      make: () => element('input', { type: 'date' }),
      read: ({ value, valueAsNumber }) => (value === '' ? [null, ''] : [valueAsNumber, value]),
    },
    text: {
      datatype: 'string',
      make: () => element('textarea', { rows: 4 }),
      read: ({ value }) => [value === '' ? null : value, value],
    },
    string: {
      datatype: 'string',
      make: () => element('input', { type: 'text' }),
      read: ({ value }) => [value === '' ? null : value, value],
    },
  };
  const aliases = { numeric: 'number' };

  /** The questions of a form: every node of its clusters that has slots. Its conditions are not weighed. */
  function questionsOf(definition) {
    const nodes = (definition?.clusters ?? []).flatMap((cluster) => cluster.nodes ?? []);
    return nodes.flatMap((node) =>
      (node.slots ?? [])
        .filter(({ kind }) => kind !== 'meta')
        .map((slot) => ({ node, slot, kind: inputs[aliases[slot.type] ?? slot.type] ?? inputs.string })),
    );
  }

  async function showForm(place) {
    const id = Number(place.dataset.svcForm);
    const data = await ask('GET', `svctutor-forms/form/v1/getRunnerData?id=${id}`);
    const questions = questionsOf(data.definition).map((question) => {
      const input = question.kind.make();
      input.required = question.slot.required === true;
      return { ...question, input };
    });
    // Made once: however often somebody presses the button, one entry is stored.
    const submission_id = uuid();
    const note = element('p', { role: 'status' });
    const send = element('button', { type: 'submit', className: 'svc-send', textContent: said.send });
    const labels = questions.map(({ node, slot, input }) =>
      element(
        'label',
        { className: 'svc-field' },
        element('span', { textContent: node.name || slot.label || '' }),
        input,
      ),
    );
    const form = element('form', {}, ...labels, send);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      send.disabled = true;
      try {
        const body = bodyOf(data, questions, submission_id);
        const entry = await ask('POST', 'svclms/turbo/v1/form-plugin/submit', body);
        form.replaceChildren();
        note.textContent = said.sent;
        tell('submitted', entry);
      } catch (error) {
        send.disabled = false;
        note.textContent = said.failed + error.message;
        tell('submitted', { error: error.code });
      }
    });
    place.replaceChildren(form, note);
  }

  /** Some systems have languages that are no tags; undefined is not sent at all. */
  function tagOf(text) {
    try {
      return Intl.getCanonicalLocales(text)[0];
    } catch {
      return undefined;
    }
  }

  /** A form whose builder made no sums takes any. */
  const sumOr = (sum) => (sum === '' ? '0'.repeat(64) : sum);

  function bodyOf({ id, fingerprint, stencil, language }, questions, submission_id) {
    const fields = questions.map(({ node, slot, kind, input }) => {
      const [value, string] = kind.read(input);
      return {
        key: `${node.id}:${slot.reference}`,
        name: node.name || slot.label || slot.reference,
        type: slot.type,
        slot: slot.reference,
        datatype: kind.datatype,
        node: { id: node.id },
        value,
        string,
      };
    });
    return {
      form_id: id,
      exportables: { fingerprint: sumOr(fingerprint), stencil: sumOr(stencil), fields },
      actionables: null,
      submission_id,
      page_id: Number(page),
      language: tagOf(language || document.documentElement.lang),
      locale: tagOf(navigator.language),
    };
  }

  async function begin() {
    const user = await visitor();
    tell('visitor', { user });
    if (user === null) return;
    // One after the other: each answer brings the nonce of the next request.
    await nameActor();
    await expand();
    for (const place of document.querySelectorAll('[data-svc-form]')) await showForm(place);
  }

  begin().catch((error) => tell('failed', { message: error.message }));
})();
