import type { Language } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type { MailParts } from './html.ts';
import { linkUrl, messageIdOf } from './mail.ts';
import { requireValidAddress } from './message.ts';
import { renderParts } from './render.ts';
import { createTransport, type MailSettings } from './transport.ts';

/** A mail whose texts and attempts its sender manages. */
export interface DirectMail {
  to: string;
  /** Identifies the mail; the same for each attempt. */
  id: string;
  queuedAt: Date;
  language: Language;
  content: Pick<MailParts, 'subject' | 'preview' | 'title' | 'body' | 'note'>;
  /** The page of the console that its button opens, without the language. */
  path: string;
}

export interface DirectMailer {
  /** @throws MailRefused when the server did not accept it */
  send(mail: DirectMail): Promise<void>;
}

export interface DirectMailerOptions {
  settings: MailSettings;
  publicUrl: () => string;
}

/** The configured mail server, for a caller that retries itself; without one, mails are written as files. */
export const createDirectMailer = ({ settings, publicUrl }: DirectMailerOptions): DirectMailer => {
  const transport = createTransport(settings);
  return {
    async send({ to, id, queuedAt, language, content, path }) {
      const href = linkUrl(`${publicUrl()}/${language}`, { path });
      const button = { href, label: phrase(language, 'mail.open'), hint: phrase(language, 'mail.address') };
      const footer = phrase(language, 'mail.footer');
      const rendered = renderParts({
        language,
        ...content,
        greeting: undefined,
        code: undefined,
        button,
        footer,
      });
      const envelope = { to: requireValidAddress(to), language, queuedAt: queuedAt.toISOString() };
      await transport.send({ ...envelope, messageId: messageIdOf(id, settings.from) }, rendered);
    },
  };
};
