import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredObject {
  readonly body: Buffer;
  readonly type: string;
  readonly modified: Date;
}

interface Upload {
  readonly key: string;
  readonly type: string;
  readonly begun: Date;
  readonly parts: Map<number, Buffer>;
}

/** An answer in place of the right one, or a connection that is cut. */
export type Fault = { readonly status: number; readonly code: string } | 'cut';

interface Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A real HTTP server that speaks as much of the S3 protocol as the storage uses. Objects live in memory. */
export class S3Server {
  readonly bucket = 'files-bucket';
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  /** `METHOD key?operation` of each request, in order. */
  readonly log: string[] = [];
  /** Decides whether a request goes wrong, from its line in `log`. */
  fault: (line: string) => Fault | null = () => null;
  pageSize = 1000;
  largestBody = 0;
  readonly #server: Server;
  #uploadsBegun = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  url(prefix: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `s3://${this.bucket}${prefix}?region=eu-central-1&endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(url.pathname);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.largestBody = Math.max(this.largestBody, body.byteLength);
    const call: Call = {
      method: request.method ?? 'GET',
      key: path.slice(this.bucket.length + 2),
      query: url.searchParams,
      headers: request.headers,
      body,
    };
    const operation = ['uploads', 'uploadId', 'delete', 'list-type'].find((name) =>
      url.searchParams.has(name),
    );
    const line = `${call.method} ${call.key}${operation === undefined ? '' : `?${operation}`}`;
    this.log.push(line);
    const fault = this.fault(line);
    if (fault === 'cut') return void response.destroy();
    if (fault !== null) return sendError(response, fault.status, fault.code);
    if (!path.startsWith(`/${this.bucket}`)) return sendError(response, 404, 'NoSuchBucket');
    // Whether the signature is right is Amazon's matter; that one is sent is ours.
    if (!/^AWS4-HMAC-SHA256 Credential=test-key\//.test(request.headers.authorization ?? '')) {
      return sendError(response, 403, 'AccessDenied');
    }
    this.#answer(call, operation, response);
  }

  #answer(call: Call, operation: string | undefined, response: ServerResponse): void {
    if (operation === 'list-type') return this.#list(call, response);
    if (operation === 'delete') return this.#deleteMany(call, response);
    if (operation === 'uploads') {
      return call.method === 'POST' ? this.#begin(call, response) : this.#listUploads(response);
    }
    if (operation === 'uploadId') return this.#part(call, response);
    if (call.method === 'PUT') return this.#put(call, response);
    if (call.method === 'GET' || call.method === 'HEAD') return this.#get(call, response);
    this.objects.delete(call.key);
    response.writeHead(204).end();
  }

  #put(call: Call, response: ServerResponse): void {
    const source = this.#copySource(call);
    if (source === null) return sendError(response, 404, 'NoSuchKey');
    const type = source?.type ?? call.headers['content-type'] ?? '';
    const body = source?.body ?? call.body;
    this.objects.set(call.key, { body, type, modified: new Date() });
    if (source === undefined) return void response.writeHead(200, { ETag: etag(body) }).end();
    sendXml(response, `<CopyObjectResult><ETag>${etag(body)}</ETag></CopyObjectResult>`);
  }

  /** Undefined where the request copies nothing, null where there is no such source. */
  #copySource(call: Call): StoredObject | null | undefined {
    const header = call.headers['x-amz-copy-source'];
    if (typeof header !== 'string') return undefined;
    return this.objects.get(decodeURIComponent(header).slice(this.bucket.length + 1)) ?? null;
  }

  #get(call: Call, response: ServerResponse): void {
    const object = this.objects.get(call.key);
    if (object === undefined) return sendError(response, 404, 'NoSuchKey');
    const { body, type, modified } = object;
    const headers: Record<string, string> = {
      'Content-Type': type,
      'Last-Modified': modified.toUTCString(),
      ETag: etag(body),
    };
    const range = /^bytes=(\d+)-(\d+)$/.exec(call.headers.range ?? '');
    if (range === null) {
      response.writeHead(200, { ...headers, 'Content-Length': body.byteLength });
      return void response.end(call.method === 'HEAD' ? undefined : body);
    }
    const start = Number(range[1]);
    if (start >= body.byteLength) return sendError(response, 416, 'InvalidRange');
    const piece = body.subarray(start, Number(range[2]) + 1);
    const last = start + piece.byteLength - 1;
    headers['Content-Range'] = `bytes ${start}-${last}/${body.byteLength}`;
    response.writeHead(206, { ...headers, 'Content-Length': piece.byteLength }).end(piece);
  }

  #begin(call: Call, response: ServerResponse): void {
    this.#uploadsBegun += 1;
    const id = `upload-${this.#uploadsBegun}`;
    const type = call.headers['content-type'] ?? '';
    this.uploads.set(id, { key: call.key, type, begun: new Date(), parts: new Map() });
    sendXml(
      response,
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  #part(call: Call, response: ServerResponse): void {
    const id = call.query.get('uploadId') ?? '';
    const upload = this.uploads.get(id);
    if (upload === undefined) return sendError(response, 404, 'NoSuchUpload');
    if (call.method === 'DELETE') {
      this.uploads.delete(id);
      return void response.writeHead(204).end();
    }
    if (call.method === 'POST') return this.#complete(call, id, upload, response);
    const source = this.#copySource(call);
    const range = /^bytes=(\d+)-(\d+)$/.exec(String(call.headers['x-amz-copy-source-range']));
    const body = source?.body.subarray(Number(range?.[1]), Number(range?.[2]) + 1) ?? call.body;
    upload.parts.set(Number(call.query.get('partNumber')), body);
    if (!source) return void response.writeHead(200, { ETag: etag(body) }).end();
    sendXml(response, `<CopyPartResult><ETag>${etag(body)}</ETag></CopyPartResult>`);
  }

  #complete(call: Call, id: string, upload: Upload, response: ServerResponse): void {
    const numbers = Array.from(call.body.toString().matchAll(/<PartNumber>(\d+)</g), (match) =>
      Number(match[1]),
    );
    const tags = Array.from(call.body.toString().matchAll(/<ETag>([^<]*)</g), (match) => match[1]);
    const parts = numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0));
    const right = parts.every(
      (part, index) => part.byteLength > 0 && tags[index]?.replaceAll('&quot;', '"') === etag(part),
    );
    if (!right) return sendError(response, 400, 'InvalidPart');
    this.uploads.delete(id);
    this.objects.set(upload.key, { body: Buffer.concat(parts), type: upload.type, modified: new Date() });
    sendXml(
      response,
      `<CompleteMultipartUploadResult><Key>${upload.key}</Key></CompleteMultipartUploadResult>`,
    );
  }

  #listUploads(response: ServerResponse): void {
    const rows = Array.from(this.uploads, ([id, { key, begun }]) => {
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`;
    });
    sendXml(response, `<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`);
  }

  #list(call: Call, response: ServerResponse): void {
    const prefix = call.query.get('prefix') ?? '';
    const after = call.query.get('continuation-token') ?? '';
    const keys = Array.from(this.objects.keys())
      .sort()
      .filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, this.pageSize);
    const rows = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.body.byteLength}</Size></Contents>`,
    );
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    sendXml(
      response,
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${rows.join('')}${next}</ListBucketResult>`,
    );
  }

  #deleteMany(call: Call, response: ServerResponse): void {
    for (const match of call.body.toString().matchAll(/<Key>([^<]*)</g)) this.objects.delete(match[1] ?? '');
    sendXml(response, '<DeleteResult></DeleteResult>');
  }
}

function etag(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

function sendError(response: ServerResponse, status: number, code: string): void {
  const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(xml);
}
