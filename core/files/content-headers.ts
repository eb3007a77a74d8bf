import { contentDisposition } from './file-name.ts';

/** For what a person uploaded and a browser could run: should it ever be shown, it can do nothing. */
const LOCKED_POLICY = "default-src 'none'; sandbox";

/**
 * The policy of static builds and embed packages: their pages run, but in an origin of their own, so that
 * they reach neither cookies nor the API.
 */
export const sandboxPolicy =
  'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation';

/** Shown in the browser; all else is saved. A list of the harmless, so that a new dangerous type is not missed. */
const INLINE = new Set([
  'application/json',
  'application/pdf',
  'application/vnd.apple.mpegurl',
  'text/css',
  'text/csv',
  'text/plain',
  'text/vtt',
]);
const INLINE_FAMILIES = ['audio/', 'font/', 'image/', 'video/'];

/** Without a charset a browser would guess. HTML and scripts are left out: their files say it themselves. */
const UTF8 = new Set(['text/csv', 'text/markdown', 'text/plain', 'text/tab-separated-values', 'text/vtt']);

/** True for what a browser could run or render as a page: HTML, any XML (SVG too), scripts, Flash. */
export function isActive(mime: string): boolean {
  return (
    mime === 'text/html' ||
    mime === 'text/xml' ||
    mime === 'application/xml' ||
    mime === 'application/xml-dtd' ||
    mime === 'application/x-shockwave-flash' ||
    mime.endsWith('+xml') ||
    mime.endsWith('/javascript') ||
    mime.endsWith('/ecmascript')
  );
}

function isInline(mime: string): boolean {
  return !isActive(mime) && (INLINE.has(mime) || INLINE_FAMILIES.some((family) => mime.startsWith(family)));
}

export interface ShownContent {
  /** Lower case, without parameters. */
  readonly mime: string;
  /** The name for saving; null where the URL's own will do. */
  readonly filename: string | null;
  /** Not null: active content is shown, under this Content-Security-Policy, which every answer carries. */
  readonly pagePolicy: string | null;
}

/** `Content-Type`, `nosniff`, and what keeps a browser from running the content: disposition and policy. */
export function contentHeaders({ mime, filename, pagePolicy }: ShownContent): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': UTF8.has(mime) ? `${mime}; charset=utf-8` : mime,
    'X-Content-Type-Options': 'nosniff',
  };
  const kind = isInline(mime) || (pagePolicy !== null && isActive(mime)) ? 'inline' : 'attachment';
  if (filename !== null) headers['Content-Disposition'] = contentDisposition(kind, filename);
  else if (kind === 'attachment') headers['Content-Disposition'] = kind;
  const policy = pagePolicy ?? (isActive(mime) ? LOCKED_POLICY : null);
  if (policy !== null) headers['Content-Security-Policy'] = policy;
  return headers;
}
