import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** What transfers are measured against: streams of Node between a socket and one durable file, and nothing else. */
const file = path.join(process.env.DATA_DIR ?? '', 'file');

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    await pipeline(request, createWriteStream(file, { flush: true }));
    response.writeHead(201).end();
    return;
  }
  response.writeHead(200, { 'Content-Length': (await stat(file)).size });
  await pipeline(createReadStream(file), response);
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('SIGTERM', () => process.exit(0));
