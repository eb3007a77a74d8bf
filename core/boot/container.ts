import 'reflect-metadata';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import { type Provider, provide, type Token } from '../api/provider.ts';
import type { ModuleSpec } from '../registry/spec.ts';

const key = <T>(token: Token<T>): InjectionToken<T> => token as unknown as InjectionToken<T>;

/**
 * Host services by token, and one child container per module. Nothing is made per request, and nothing is
 * disposed by tsyringe: its `dispose` stops at the first throw.
 */
export class Services {
  readonly #root: DependencyContainer = container.createChildContainer();
  readonly #byModule = new Map<string, DependencyContainer>();

  /** Offers a host service to every module. */
  offer<T>(token: Token<T>, service: T): void {
    this.#root.register(key(token), { useValue: service });
  }

  /** A host service by its token. */
  host<T>(token: Token<T>): T {
    return this.#root.resolve(key(token));
  }

  /** Registers what a module provides; its services may need those of `requires` and of the host. */
  addModule(spec: ModuleSpec): void {
    const own = this.#root.createChildContainer();
    for (const provider of spec.services?.(provide) ?? []) this.#register(own, provider, spec);
    this.#byModule.set(spec.id, own);
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
    return (token) => {
      const own = this.#byModule.get(spec.id);
      if (own?.isRegistered(key(token), false)) return own.resolve(key(token));
      for (const id of [...spec.requires, ...spec.optional]) {
        const other = this.#byModule.get(id);
        if (other?.isRegistered(key(token), false)) return other.resolve(key(token));
      }
      return this.#root.resolve(key(token));
    };
  }
}
