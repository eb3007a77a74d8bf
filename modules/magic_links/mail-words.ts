import type { MailWords, Words } from '@lyceum/core';

export const mailWords: Words<MailWords> = {
  en: {
    subject: 'Your link to sign in to {site}',
    text: [
      'With this link you sign in to {site} without a password:',
      '{link}',
      'It works once, within {time}. Whoever has it can sign in as you, so forward it to nobody.',
      'If you did not expect this mail, you need do nothing.',
    ].join('\n\n'),
    button: 'Sign in',
  },
  ru: {
    subject: 'Ссылка для входа на сайт «{site}»',
    text: [
      'По этой ссылке вы войдёте на сайт «{site}» без пароля:',
      '{link}',
      'Ссылка сработает один раз, она действует {time}. Каждый, у кого она есть, войдёт от вашего имени, поэтому никому её не пересылайте.',
      'Если вы не ждали этого письма, ничего делать не нужно.',
    ].join('\n\n'),
    button: 'Войти',
  },
};
