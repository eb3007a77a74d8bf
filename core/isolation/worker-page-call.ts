import * as yup from 'yup';
import { CodedError } from '../api/errors.ts';
import type { PageCall, Shortcode } from '../api/shortcode.ts';
import type { PageCallWords } from '../shortcodes/reader-call.ts';
import { WorkerReach, type WorkerReachParts } from './worker-reach.ts';

/** A use of a shortcode as the host tells it. */
export interface PieceUse {
  readonly attributes: unknown;
  readonly content: string | null;
  readonly inner: () => Promise<string>;
}

/** The tests of the schema itself: the host's process has read the attributes. */
export function checkAttributes({ attributes: schema }: Shortcode, given: unknown): unknown {
  try {
    return schema ? schema.validateSync(given, { strict: true }) : {};
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    throw new CodedError('rest_invalid_param', { message: error.message });
  }
}

/** What code in a worker that makes a part of a page is given. */
export class WorkerPageCall extends WorkerReach<PageCallWords> implements PageCall {
  readonly site: PageCall['site'];
  readonly post: PageCall['post'];
  readonly user: PageCall['user'];

  constructor(parts: WorkerReachParts<PageCallWords>) {
    super(parts);
    const { site, post, user } = parts.words;
    this.site = site;
    this.post = post;
    this.user = user;
  }
}
