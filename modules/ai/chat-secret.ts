import { createHash, timingSafeEqual } from 'node:crypto';
import { defineSecret } from '@lyceum/core';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What the backend of a site's chat proves itself by: the setting `chat_secret`. It acts as nobody. */
export const chatSecret = defineSecret<null>({
  id: 'ai.chat',
  title: 'The secret that the site agreed with the backend of its chat.',
  in: { header: 'x-ai-chat-secret' },
  refusals: { missing: 'rest_forbidden', wrong: 'rest_forbidden', denied: 'rest_forbidden' },
  recognise: async (presented, call) => {
    const secret = call.setting<string | null>('chat_secret');
    // Digests are of one length, so that not even that of the secret shows.
    const isRight = timingSafeEqual(digest(presented), digest(secret ?? ''));
    return isRight && secret !== null ? { userId: null, proof: null } : null;
  },
});
