import { accepted, defineOperation, fail, idText, invalidParams, PlaybackArtifacts, yup } from '@lyceum/core';
import { enqueue } from '../enqueue.ts';
import { findVideo, infoOf, videoErrors } from '../find-media.ts';
import { jobTypes } from '../queue/entry.ts';
import { Enqueued } from '../queue/entry-record.ts';

const mostAtOnce = 60;
const mostStills = 240;

export const takeStills = defineOperation({
  id: 'media_converter.take-stills',
  method: 'POST',
  path: 'svc/media-converter/v1/attachments/{id}/frame-miniatures',
  summary: 'Take stills of a film: so many of them, at these times, or one in so many seconds',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({
      count: yup.number().integer().min(1).max(mostAtOnce),
      times: yup.array().of(yup.number().min(0).required()).min(1).max(mostAtOnce),
      interval: yup.number().min(1),
      width: yup.number().integer().min(64).max(1920).default(640),
      replace: yup.boolean().default(false),
    }),
  },
  success: 202,
  output: Enqueued,
  errors: [...videoErrors, 'too_many_stills', 'format_already_queued'],
  example: { body: { count: 12 } },
  handle: async ({ params, body }, call) => {
    const given = [body.count, body.times, body.interval].filter((value) => value !== undefined);
    if (given.length > 1) invalidParams({ count: 'must be the only one of count, times and interval' });
    const attachment = await findVideo(call, params.id);
    const info = await infoOf(call, attachment);
    const times = timesIn(info?.duration ?? 0, body);
    const { width, replace } = body;
    const wanted = [{ format: 'stills', options: { times, width, replace } }];
    const { id, blog_id } = attachment.post;
    return accepted(
      await enqueue(call, attachment, jobTypes.stills, wanted, async (trx) => {
        const old = replace
          ? []
          : await call.get(PlaybackArtifacts).list(blog_id, id, { folder: 'stills' }, trx);
        if (old.length + times.length > mostStills) fail('too_many_stills');
      }),
    );
  },
});

interface When {
  readonly count?: number | undefined;
  readonly times?: readonly number[] | undefined;
  readonly interval?: number | undefined;
}

function timesIn(duration: number, { count = 12, times, interval }: When): number[] {
  if (times) {
    if (times.some((time) => time >= duration))
      invalidParams({ times: 'must lie before the end of the film' });
    return [...times];
  }
  if (interval === undefined) {
    return Array.from({ length: count }, (_none, at) => ((at + 0.5) * duration) / count);
  }
  const many = Math.max(1, Math.ceil(duration / interval - 1e-6));
  if (many > mostAtOnce) invalidParams({ interval: `must not make more than ${mostAtOnce} stills` });
  return Array.from({ length: many }, (_none, at) => at * interval);
}
