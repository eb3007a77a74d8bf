import { PageRenderer } from '../content/rendering/page-renderer.ts';
import { Crashes } from '../isolation/crashes.ts';
import { PageCode } from '../shortcodes/page-code.ts';
import { Shortcodes } from '../shortcodes/shortcodes.ts';
import { State } from '../state/state.ts';
import type { HostParts } from './host-services.ts';

/** Offers shortcodes and the rendering of pages. */
export function offerPages({ services, db, settings, addresses, uses, now, log }: HostParts): void {
  const code = new PageCode({
    ...{ settings, uses, now, log },
    resolve: (spec) => services.resolve(spec),
    crashes: () => services.host(Crashes),
  });
  const shortcodes = new Shortcodes(code);
  services.offer(Shortcodes, shortcodes);
  services.offer(
    PageRenderer,
    new PageRenderer({
      ...{ db, addresses, shortcodes, code, settings },
      state: () => services.host(State),
    }),
  );
}
