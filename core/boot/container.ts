import 'reflect-metadata';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import { type Provider, provide, type Token } from '../api/provider.ts';
import { namedBy } from '../registry/requirement-order.ts';
import type { InstalledModules, ModuleSpec } from '../registry/spec.ts';

const key = <T>(token: Token<T>): InjectionToken<T> => token as unknown as InjectionToken<T>;

/** What one module provides, and the modules that it names as they were when it was added. */
interface Own {
  readonly container: DependencyContainer;
  readonly others: readonly ModuleSpec[];
  /** Services that it has asked for. */
  readonly found: Map<Token, unknown>;
}

/**
 * Host services by token, and one child container per module. Nothing is made per request, and nothing is
 * disposed by tsyringe: its `dispose` stops at the first throw.
 */
export class Services {
  readonly #root: DependencyContainer = container.createChildContainer();
  /** By declaration: code that was replaced keeps the services of its time until it is forgotten. */
  readonly #bySpec = new WeakMap<ModuleSpec, Own>();

  /** Offers a host service to every module. */
  offer<T>(token: Token<T>, service: T): void {
    this.#root.register(key(token), { useValue: service });
  }

  /** A host service by its token. */
  host<T>(token: Token<T>): T {
    return this.#root.resolve(key(token));
  }

  /**
   * Registers what a module provides; its services may need those of modules that it names and of the host.
   * @param modules among them the ones that it names
   */
  addModule(spec: ModuleSpec, modules: InstalledModules): void {
    const own = this.#root.createChildContainer();
    for (const provider of spec.services?.(provide) ?? []) this.#register(own, provider, spec);
    const others = namedBy(spec).flatMap((id) => modules.get(id)?.spec ?? []);
    this.#bySpec.set(spec, { container: own, others, found: new Map() });
  }

  #register(own: DependencyContainer, provider: Provider, spec: ModuleSpec): void {
    const make = provider.make as (...services: unknown[]) => unknown;
    own.register(key(provider.token), {
      useFactory: instanceCachingFactory(() =>
        make(...provider.needs.map((token) => this.resolve(spec)(token))),
      ),
    });
  }

  /** Resolves a token as this module sees it: its own services, those of modules it names, the host's. */
  resolve(spec: ModuleSpec): <T>(token: Token<T>) => T {
    return <T>(token: Token<T>): T => {
      const own = this.#bySpec.get(spec);
      // Each is made once, and asked for by every request.
      const known = own?.found.get(token);
      if (known !== undefined) return known as T;
      const service = this.#containerOf(own, key(token)).resolve(key(token));
      own?.found.set(token, service);
      return service;
    };
  }

  #containerOf(own: Own | undefined, token: InjectionToken): DependencyContainer {
    if (own?.container.isRegistered(token, false)) return own.container;
    for (const named of own?.others ?? []) {
      const other = this.#bySpec.get(named)?.container;
      if (other?.isRegistered(token, false)) return other;
    }
    return this.#root;
  }
}
