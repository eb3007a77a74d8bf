import type { ModuleDeclaration } from '../api/module.ts';
import { hostCapabilities } from '../auth/capabilities.ts';
import { checkDeclaration } from '../registry/check-declaration.ts';
import { IsolatedModule } from './isolated-module.ts';
import { remoteDeclaration } from './remote-declaration.ts';
import type { IsolatedPackage } from './worker-seat.ts';

/**
 * Loads a package in a worker of its own; no line of it runs in this process, not even once.
 * @throws DeclarationError, or what its code threw
 */
export async function loadIsolated(found: IsolatedPackage): Promise<ModuleDeclaration> {
  const module = new IsolatedModule(found);
  try {
    const declaration = remoteDeclaration(await module.load(), module);
    checkDeclaration(declaration, found.id, hostCapabilities);
    return declaration;
  } catch (error) {
    await module.stop();
    throw error;
  }
}
