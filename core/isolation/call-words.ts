import type { Call, Credential } from '../api/call.ts';
import type { SecretDeclaration } from '../api/secret.ts';
import { CapabilityTable } from '../auth/capabilities.ts';
import { HostCall } from '../http/host-call.ts';

/** A call as data: what a handler reads of it without waiting. */
export interface CallWords
  extends Pick<
    Call,
    'site' | 'currentSite' | 'user' | 'requestId' | 'ip' | 'userAgent' | 'single' | 'https'
  > {
  readonly credential: Omit<Credential, 'proof'>;
  /** What was recognised of a secret of the module, which itself is code. */
  readonly found: unknown;
  /** Capabilities of the caller's role; those of a super admin follow from his being one. */
  readonly capabilities: readonly string[];
  /** Settings of the module on the site. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly now: number;
  readonly state: {
    readonly revision: number;
    readonly blogId: number;
    readonly networkId: number;
    readonly networkCommitted: boolean;
    /** Modules that are on. */
    readonly on: readonly string[];
  };
}

/** The same where the worker knows which secret proved it. */
export interface KnownCall extends CallWords {
  readonly secret?: SecretDeclaration;
}

/** @param settings names of the settings that the module declares */
export function writeCall(call: Call, settings: readonly string[]): CallWords {
  const { site, currentSite, user, credential, requestId, ip, userAgent, single, https, state } = call;
  const { proof, ...proved } = credential;
  const { revision, blogId, networkId, networkCommitted, standings } = state;
  return {
    site,
    currentSite,
    user,
    credential: proved,
    found: proof?.found ?? null,
    requestId,
    ip,
    userAgent,
    single,
    https,
    capabilities: user ? call.get(CapabilityTable).heldBy(state.modules, user.role) : [],
    settings: Object.fromEntries(settings.map((name) => [name, call.setting(name)])),
    headers: call instanceof HostCall ? call.headers : {},
    now: call.now().getTime(),
    state: {
      revision,
      blogId,
      networkId,
      networkCommitted,
      on: [...standings].filter(([, { enabled }]) => enabled).map(([id]) => id),
    },
  };
}
