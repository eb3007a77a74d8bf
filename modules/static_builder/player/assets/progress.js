/**
 * Which pages were seen, in a text as short as the systems that keep it demand (4,096 characters of SCORM 1.2 hold
 * more than 20,000 pages): a digest of the pages' ids and a bit for each, in the order of the ids. So a course whose
 * pages were moved goes on where it was, and one that has other pages begins anew.
 */
(() => {
  const player = /** @type {CoursePlayer} */ ({});
  window.coursePlayer = player;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

  /**
   * 32 bits of FNV-1a: enough to tell two lists of pages apart.
   * @param {readonly number[]} ids
   */
  function digestOf(ids) {
    let hash = 0x811c9dc5;
    for (const character of ids.join()) {
      hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
    }
    return hash.toString(36);
  }

  player.createProgress = (ids) => {
    const sorted = [...ids].sort((a, b) => a - b);
    const digest = digestOf(sorted);
    /** @type {Set<number>} */
    const seen = new Set();
    return {
      get seen() {
        return seen.size;
      },
      total: sorted.length,
      get share() {
        return seen.size / sorted.length;
      },
      get isComplete() {
        return seen.size === sorted.length;
      },
      see(id) {
        if (sorted.includes(id)) seen.add(id);
      },
      has: (id) => seen.has(id),
      read(text) {
        const [kept, bits = ''] = text.split('.', 2);
        if (kept !== digest) return;
        sorted.forEach((id, at) => {
          const six = alphabet.indexOf(bits.charAt(Math.floor(at / 6)) || 'A');
          if (six > 0 && six & (1 << (at % 6))) seen.add(id);
        });
      },
      toText() {
        let bits = '';
        for (let at = 0; at < sorted.length; at += 6) {
          let six = 0;
          sorted.slice(at, at + 6).forEach((id, bit) => {
            if (seen.has(id)) six |= 1 << bit;
          });
          bits += alphabet.charAt(six);
        }
        return `${digest}.${bits}`;
      },
    };
  };

  player.untracked = { open: async () => null, show() {}, save() {}, end() {} };

  player.fill = (text, values) =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

  player.duration = (milliseconds) => `PT${(Math.max(0, milliseconds) / 1000).toFixed(2)}S`;

  // `crypto.randomUUID` is missing on pages without TLS, where many learning systems still are.
  player.uuid = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (Number(bytes[6]) & 0x0f) | 0x40;
    bytes[8] = (Number(bytes[8]) & 0x3f) | 0x80;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
})();
