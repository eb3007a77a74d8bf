import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from './embedded-server.ts';

const retryMs = 1_000;

/**
 * Keeps a server running until it is told to stop: one that dies by itself (`kill -9`, no memory left) is launched
 * again, as often as it takes. Nobody else would do it, and the host could only answer 503.
 * @param launch starts it again at the same address
 * @returns stops the server and waits for it
 */
export function keepRunning(first: Server, launch: () => Promise<Server>): () => Promise<void> {
  let current = first;
  let stopping = false;
  const relaunch = async (): Promise<void> => {
    while (!stopping) {
      try {
        current = await launch();
        return;
      } catch {
        // What is in the way (its old processes, its port, a full disk) may go.
        await wait(retryMs);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (!stopping) {
      await current.ended;
      await relaunch();
    }
  };
  const watching = watch();
  return async () => {
    stopping = true;
    await current.stop();
    await watching;
    // One that was just being launched.
    await current.stop();
  };
}
