import type { MailWords, Words } from '@lyceum/core';

export const mailWords: Words<MailWords> = {
  en: {
    subject: 'Your sign-in code for {site}',
    text: [
      'This is your code to sign in to {site}:',
      '{pin}',
      'Type it into the page where you asked for it. It works once, within {time}.',
      'If you did not ask for a code, you need do nothing: without it nobody gets in. Give it to nobody, whoever asks.',
    ].join('\n\n'),
  },
  ru: {
    subject: 'Код для входа на сайт «{site}»',
    text: [
      'Ваш код для входа на сайт «{site}»:',
      '{pin}',
      'Введите его на странице, где вы его запросили. Код сработает один раз, он действует {time}.',
      'Если вы не запрашивали код, ничего делать не нужно: без него войти нельзя. Никому его не сообщайте, кто бы ни спросил.',
    ].join('\n\n'),
  },
};
