import { parentPort, workerData } from 'node:worker_threads';
import type { Embedder, ModelManifest } from '@lat.md/embed';
import type { ThreadAnswer, ThreadData, ThreadQuestion } from './builtin-messages.ts';

/**
 * The thread in which the model runs: one text takes tens of milliseconds, in which its process could answer a
 * hundred requests. Model and detector are loaded with the first question that needs them.
 */

const { model } = workerData as ThreadData;

const port = parentPort;
if (!port) throw new Error('This file runs in a thread.');

let embedder: Promise<Embedder> | null = null;

async function loadEmbedder(): Promise<Embedder> {
  const { createEmbedder } = await import('@lat.md/embed');
  const { default: manifest } = (await import(model)) as { default: ModelManifest };
  return createEmbedder({ model: manifest });
}

async function answer(question: ThreadQuestion): Promise<ThreadAnswer> {
  const { id } = question;
  if (question.kind === 'language') {
    const { eld } = await import('eld/small');
    const found = eld.detect(question.text);
    return { id, detected: { language: found.language, reliable: found.isReliable() } };
  }
  embedder ??= loadEmbedder();
  return { id, vectors: await (await embedder).embed([...question.texts]) };
}

// One question at a time: the model knows no other way, and answers come in the order of the questions.
let turn: Promise<void> = Promise.resolve();

port.on('message', (question: ThreadQuestion) => {
  turn = turn.then(async () => {
    try {
      port.postMessage(await answer(question));
    } catch (error) {
      embedder = null;
      const { code, message } = error as { code?: string; message?: string };
      const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'ENOENT';
      port.postMessage({ id: question.id, error: String(message), missing } satisfies ThreadAnswer);
    }
  });
});
