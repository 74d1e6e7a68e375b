import type { Language } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type { MailParts } from './html.ts';
import { addressOf, messageIdOf } from './mail.ts';
import { checkedAddress } from './message.ts';
import { inBothForms } from './render.ts';
import { createTransport, type MailSettings } from './transport.ts';

/** A mail whose words its sender has, and whose tries it counts. */
export interface Letter {
  to: string;
  /** The same for each try: the mail is known by it. */
  id: string;
  queuedAt: Date;
  language: Language;
  content: Pick<MailParts, 'subject' | 'preview' | 'title' | 'body' | 'note'>;
  /** The page of the console that its button opens, behind the language. */
  path: string;
}

export interface Letters {
  /** @throws MailRefused when it was not taken */
  send(letter: Letter): Promise<void>;
}

export interface LettersOptions {
  settings: MailSettings;
  publicUrl: () => string;
}

/** The mail server of the settings, for a caller that tries again itself; without one, mails are files. */
export const createLetters = ({ settings, publicUrl }: LettersOptions): Letters => {
  const transport = createTransport(settings);
  return {
    async send({ to, id, queuedAt, language, content, path }) {
      const href = addressOf(`${publicUrl()}/${language}`, { path });
      const button = { href, label: phrase(language, 'mail.open'), hint: phrase(language, 'mail.address') };
      const footer = phrase(language, 'mail.footer');
      const rendered = inBothForms({
        language,
        ...content,
        greeting: undefined,
        code: undefined,
        button,
        footer,
      });
      const envelope = { to: checkedAddress(to), language, queuedAt: queuedAt.toISOString() };
      await transport.send({ ...envelope, messageId: messageIdOf(id, settings.from) }, rendered);
    },
  };
};
