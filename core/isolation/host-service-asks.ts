import * as door from '../api/index.ts';
import type { Token } from '../api/provider.ts';
import type { Ask } from './line.ts';

type Get = <T>(token: Token<T>) => T;

/** What a worker may ask of a thing that it was lent by reference. */
const lentMethods = new Set(['step', 'finish', 'note', 'setting', 'send']);

const isClass = (value: unknown): value is Token<object> =>
  typeof value === 'function' && 'prototype' in value;

/** Names of the host's services, as the door exports them. */
export const serviceNames: ReadonlyMap<unknown, string> = new Map(
  Object.entries(door)
    .filter(([, value]) => isClass(value))
    .map(([name, value]) => [value, name]),
);

const services: ReadonlyMap<string, Token<object>> = new Map(
  [...serviceNames].map(([token, name]) => [name, token as Token<object>]),
);

function method(target: object, name: string): (...args: unknown[]) => unknown {
  const found = name === 'constructor' ? undefined : (target as Record<string, unknown>)[name];
  if (typeof found !== 'function' || Object.hasOwn(Object.prototype, name)) {
    throw new Error(`${target.constructor.name} has no method "${name}".`);
  }
  return (...args) => (found as (...args: unknown[]) => unknown).apply(target, args);
}

/** What a module in a worker may ask of the host: the methods of services that the door names. */
export function hostServiceAsks(get: () => Get): Readonly<Record<string, Ask>> {
  return {
    service: ([name, wanted, ...args]) => {
      const token = services.get(String(name));
      if (!token) throw new Error(`The host has no service "${String(name)}".`);
      return method(get()(token), String(wanted))(...args);
    },
    lent: ([target, wanted, ...args]) => {
      if (!lentMethods.has(String(wanted))) throw new Error(`"${String(wanted)}" cannot be asked for.`);
      return method(target as object, String(wanted))(...args);
    },
  };
}
