import type { SettingDeclaration } from '../api/module.ts';
import { isPlainObject } from '../api/schema.ts';
import { specs } from '../registry/spec.ts';
import { optionOf } from '../settings/setting-options.ts';
import type { CopyContext, CopyPhaseRun } from './copy-context.ts';
import { inheritedOptions, optionsAfter, type SiteOption, setOptions } from './copy-options-store.ts';
import { nextPhase } from './copy-state.ts';
import { mapStrings } from './map-strings.ts';
import { siteUrlMoves } from './site-url-moves.ts';
import type { UrlMoves } from './url-moves.ts';

/** In these a new site follows the main site of its network where it does not follow the source. */
const inherited = ['timezone', 'date_format', 'default_lang', 'languages'] as const;

/** Set when the copy is begun. */
const adminEmail = 'admin_email';

/** Options of the site, settings of modules and their overrides; no secrets. */
export const copyOptions: CopyPhaseRun = (copy, state) =>
  copy.step(async (trx) => {
    const { source, target, flags, excludeOptions } = copy;
    if (state.after === null) {
      const names = inherited.filter((name) => !flags.copy_options || excludeOptions.includes(name));
      await setOptions(trx, target.blog_id, await inheritedOptions(trx, target.network_id, names));
    }
    if (!flags.copy_options) return nextPhase(state);
    const found = await optionsAfter(trx, source.blog_id, String(state.after ?? ''));
    const last = found.at(-1);
    if (!last) return nextPhase(state);
    const declared = declaredSettings(copy);
    const taken = found.filter((option) => isTaken(copy, option, declared));
    const moves = siteUrlMoves(copy, state);
    for (const { value } of taken) mapStrings(value, (text) => moves.collect(text));
    await moves.read(trx);
    await setOptions(
      trx,
      target.blog_id,
      taken.map((option) => rewritten(option, declared.get(option.name), moves)),
    );
    return {
      ...state,
      after: last.name,
      copied: { ...state.copied, options: state.copied.options + taken.length },
      replacedUrls: state.replacedUrls + moves.replaced,
    };
  });

type Declared = ReadonlyMap<string, SettingDeclaration>;

/** Settings that sites have, by the option that keeps each. */
const declaredSettings = ({ modules }: CopyContext): Declared =>
  new Map(
    [...specs(modules)].flatMap((spec) =>
      Object.entries(spec.settings)
        .filter(([, setting]) => setting.scope === 'site')
        .map(([name, setting]) => [optionOf(spec.id, name, setting), setting] as const),
    ),
  );

function isTaken({ excludeOptions }: CopyContext, { name, value }: SiteOption, declared: Declared): boolean {
  // A sealed value is a secret also while nobody declares it: its module may be away.
  const isSealed = isPlainObject(value) && Object.hasOwn(value, 'sealed');
  return name !== adminEmail && !isSealed && !declared.get(name)?.secret && !excludeOptions.includes(name);
}

/** An address may not be changed into what the setting does not take, such as an origin into one with a path. */
function rewritten(option: SiteOption, setting: SettingDeclaration | undefined, moves: UrlMoves): SiteOption {
  const value = mapStrings(option.value, (text) => moves.rewrite(text));
  if (value === option.value) return option;
  return setting && !setting.schema.isValidSync(value, { strict: true }) ? option : { ...option, value };
}
