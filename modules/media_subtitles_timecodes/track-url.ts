import { Addresses, type Call } from '@lyceum/core';

/** Where the tracks of an attachment are listed. */
export function trackUrl(call: Call, attachmentId: number): string {
  const list = `svc/media-subtitles-timecodes/v1/attachments/${attachmentId}/tracks`;
  return call.get(Addresses).route(call.site, list);
}
