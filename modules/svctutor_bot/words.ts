import { languageWanted, type Words } from '@lyceum/core';
import type { Bot } from './bot.ts';

interface BotWords {
  readonly greeting: string;
  readonly fallback_text: string;
}

const words: Words<BotWords> = {
  en: {
    greeting: 'Hello! Ask me about anything that is taught on this site.',
    fallback_text: 'I cannot answer this now. Please write your question in words, or try again later.',
  },
  ru: {
    greeting: 'Здравствуйте! Спросите меня о том, чему учат на этом сайте.',
    fallback_text: 'Сейчас ответить не получается. Напишите вопрос словами или попробуйте позже.',
  },
};

/** What the bot says by itself: in its own words, else in those of its language. */
export function wordsOf({ configuration }: Pick<Bot, 'configuration'>, siteLang: string): BotWords {
  const built = words[languageWanted(configuration.lang ?? siteLang, siteLang)];
  return {
    greeting: configuration.greeting || built.greeting,
    fallback_text: configuration.fallback_text || built.fallback_text,
  };
}
