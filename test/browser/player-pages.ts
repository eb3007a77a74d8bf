import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const { resolve } = createRequire(import.meta.url);
const distOf = (name: string): string => {
  const entry = resolve(name);
  return path.join(entry.slice(0, entry.lastIndexOf(`${path.sep}${name}${path.sep}`)), name, 'dist');
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const page = (head: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><style>body{margin:0;width:640px}</style>${head}</head>` +
  '<body><video id="player" crossorigin="anonymous" playsinline muted controls width="640" height="360"></video></body></html>';

const pages: Readonly<Record<string, string>> = {
  '/plyr': page(
    '<link rel="stylesheet" href="/plyr/plyr.css"><script src="/plyr/plyr.js"></script><script src="/hls.js/hls.js"></script>',
  ),
  '/video.js': page(
    '<link rel="stylesheet" href="/video.js/video-js.css"><script src="/video.js/video.js"></script>',
  ),
};

/** Pages with players, on an origin that is not the host's, as those of a static build are. */
export async function servePlayers(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const text = pages[url];
    if (text !== undefined) return void response.setHeader('Content-Type', 'text/html').end(text);
    const [, name = '', file = ''] = url.split('/');
    if (!['plyr', 'video.js', 'hls.js'].includes(name)) return void response.writeHead(204).end();
    readFile(path.join(distOf(name), path.basename(file))).then(
      (bytes) => response.setHeader('Content-Type', types[path.extname(file)] ?? 'text/plain').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
