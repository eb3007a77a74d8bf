import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { CourseFile } from '../course.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.svg': 'image/svg+xml',
};

/** Answers what is no file of the course; false: not its business either. */
export type Answerer = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;

export interface CourseServer {
  readonly origin: string;
  /** Paths that were asked for in vain. */
  readonly missing: string[];
  stop(): Promise<void>;
}

/** Serves a course below `/course/` on loopback, as a learning system does that unpacked it. */
export async function serveCourse(
  files: readonly CourseFile[],
  headers: Readonly<Record<string, string>>,
  answer: Answerer,
): Promise<CourseServer> {
  const missing: string[] = [];
  const contents = new Map(files.map((file) => [`/course/${file.path}`, file.content]));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://course');
    if (answer(request, response, url)) return;
    const content = contents.get(url.pathname);
    if (content === undefined) {
      if (url.pathname !== '/favicon.ico') missing.push(url.pathname);
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': types[path.extname(url.pathname)] ?? 'application/octet-stream',
      ...headers,
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    missing,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a text. */
export function send(response: ServerResponse, type: string, text: string | Buffer): true {
  response.writeHead(200, { 'Content-Type': type }).end(text);
  return true;
}
