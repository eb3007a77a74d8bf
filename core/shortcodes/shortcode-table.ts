import { yup } from '../api/schema.ts';
import type { Shortcode } from '../api/shortcode.ts';
import { compileInput, type InputReader } from '../http/input.ts';
import { derived } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import type { SiteState } from '../state/site-state.ts';

/** A shortcode and the module that declares it. */
export interface DeclaredShortcode {
  readonly shortcode: Shortcode;
  readonly module: ModuleSpec;
  readonly read: InputReader;
}

type ByTag = ReadonlyMap<string, DeclaredShortcode>;

const none = yup.object({});

/** What all modules declare, on or off. */
const declaredBy = derived(
  (modules: InstalledModules): ByTag =>
    new Map(
      [...specs(modules)].flatMap((module) =>
        module.shortcodes.map((shortcode) => {
          const read = compileInput(shortcode.attributes ?? none, 'text');
          return [shortcode.tag, { shortcode, module, read }] as const;
        }),
      ),
    ),
);

/** The shortcode of this tag while its module is on for the site, else null. */
export function shortcodeOf(state: SiteState, tag: string): DeclaredShortcode | null {
  const declared = declaredBy(state.modules).get(tag);
  return declared && state.isOn(declared.module.id) ? declared : null;
}

/** All shortcodes that mean something on the site. */
export const shortcodesOf = (state: SiteState): DeclaredShortcode[] =>
  [...declaredBy(state.modules).values()].filter(({ module }) => state.isOn(module.id));
