import { type Call, SettingsService, State } from '@lyceum/core';

const isMedia = (mime: string): boolean => /^(audio|video)\//.test(mime);

/** Bytes that a file of this type may have on the site: films and sound as many as are encoded there. */
export function uploadLimit(call: Call, mime: string): number {
  return (isMedia(mime) ? limitOf(call, 'media_converter') : null) ?? limitOf(call, 'host') ?? 0;
}

/** Bytes that a file may have of which nobody knows yet what it is. */
export const longestUpload = (call: Call): number =>
  Math.max(uploadLimit(call, 'video/mp4'), uploadLimit(call, 'image/png'));

/** Null where the module is off or knows no limit. */
function limitOf(call: Call, module: string): number | null {
  const spec = call.get(State).modules.get(module)?.spec;
  if (!spec || !call.state.isOn(module) || !Object.hasOwn(spec.settings, 'max_upload_bytes')) return null;
  return call.get(SettingsService).value(spec, 'max_upload_bytes', call.state) as number;
}
