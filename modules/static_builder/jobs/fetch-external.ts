import { FileTooLarge, isCoded, Outbound, OutboundError } from '@lyceum/core';
import { isFetchedType, isStyleSheet, plainType } from '../collect/media-names.ts';
import type { PageReference } from '../collect/page-facts.ts';
import { shortened } from '../collect/scan-page.ts';
import { type Brought, found, left, mediaFile } from './collect-media.ts';
import { mostTextBytes, type Work } from './work.ts';

/** What one file of another host may take. */
const timeoutMs = 20_000;
const mostBytes = 100 * 1024 * 1024;

/** A file of another host; one that cannot be had stays a link. */
export async function fetchExternal(
  work: Work,
  reference: PageReference,
  styleSheet: (text: string, base: string) => Promise<string>,
): Promise<Brought> {
  const refused = (why: string): Brought =>
    left(reference, `external_left: ${shortened(reference.url)} (${why})`);
  const { job, place } = work;
  try {
    const { status, headers, body } = await job.get(Outbound).open(place.state, {
      ...{ url: reference.url, timeoutMs, maxBytes: mostBytes, signal: job.signal },
      headers: { accept: 'image/*, audio/*, video/*, font/*, text/css' },
    });
    const mime = plainType(headers['content-type']);
    if (status !== 200 || !isFetchedType(mime)) {
      await leave(body);
      return refused(status === 200 ? `is ${mime}` : `answered ${status}`);
    }
    if (isStyleSheet(mime)) {
      const text = await textOf(body);
      if (text === null) return refused('too large');
      const written = await styleSheet(text, reference.url);
      return brought(reference, mime, await work.storeWhole(written, mime));
    }
    return brought(reference, mime, await work.store(body, mime));
  } catch (error) {
    job.signal.throwIfAborted();
    if (error instanceof FileTooLarge) return refused('too large');
    if (error instanceof OutboundError && !isCoded(error, 'svclms_static_builder_too_large')) {
      return refused(error.message);
    }
    throw error;
  }
}

const brought = (
  reference: PageReference,
  mime: string,
  stored: { readonly key: string; readonly bytes: number; readonly sha256: string },
): Brought => {
  const file = {
    ...mediaFile(mime, stored.sha256, reference.url),
    file_key: stored.key,
    bytes: stored.bytes,
  };
  return { settled: found(reference, file.path, stored.sha256), file, warning: null };
};

/** Ends an answer that nobody reads. */
async function leave(body: AsyncIterable<Buffer>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostTextBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
