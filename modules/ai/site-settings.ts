import type { SettingsService, SiteState } from '@lyceum/core';

export const moduleId = 'ai';

export type ProviderKind = 'builtin' | 'openai';

/** The settings of a site as they are in force, secrets in clear. */
export interface SiteSettings {
  readonly chat_secret: string | null;
  readonly provider: ProviderKind;
  readonly provider_url: string;
  readonly provider_key: string | null;
  readonly model: string;
  readonly temperature: number;
  readonly max_tokens: number;
  readonly system_prompt: string;
  readonly top_k: number;
  readonly context_tokens: number;
  readonly history_messages: number;
  readonly answer_without_sources: boolean;
  readonly no_answer_text: string;
  readonly title: string;
  readonly greeting: string;
  readonly rate_per_minute: number;
  readonly retention_days: number;
  /** The language of the site. */
  readonly lang: string;
}

/** What holds on the site in this state, whoever asks: a request, a job of a bot, a schedule. */
export function settingsOf(settings: SettingsService, state: SiteState): SiteSettings {
  const read = (module: string, name: string): unknown => {
    const spec = state.modules.get(module)?.spec;
    if (!spec) throw new Error(`The module "${module}" is not installed.`);
    return settings.value(spec, name, state);
  };
  const names = Object.keys(state.modules.get(moduleId)?.spec?.settings ?? {});
  const own = Object.fromEntries(names.map((name) => [name, read(moduleId, name)]));
  return { ...own, lang: read('host', 'default_lang') } as unknown as SiteSettings;
}

/** Whether whoever answers on the site has all that he needs. */
export const isConfigured = ({ provider, provider_url }: SiteSettings): boolean =>
  provider === 'builtin' || provider_url !== '';
