import type { Language } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import { type MailParts, renderHtml } from './html.ts';
import type { MailTemplate, QueuedMail } from './message.ts';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

type Section =
  | 'invitation'
  | 'passwordReset'
  | 'signInCode'
  | 'passwordChanged'
  | 'twoFactorEnabled'
  | 'twoFactorDisabled';

type Content = Pick<QueuedMail, 'language' | 'template' | 'values' | 'link'>;

/** The mail in its receiver's language, as HTML and as text. */
export const renderMail = ({ language, template, values, link }: Content): RenderedMail => {
  const section = sectionOf(template, values);
  const textFor = (part: 'subject' | 'preview' | 'title' | 'body' | 'note') =>
    phrase(language, `mail.${section}.${part}`, values);
  const parts: MailParts = {
    language,
    subject: textFor('subject'),
    preview: textFor('preview'),
    title: textFor('title'),
    greeting: values['name'] ? phrase(language, 'mail.greeting', values) : undefined,
    body: textFor('body'),
    code: section === 'signInCode' ? String(values['code'] ?? '') : undefined,
    button: link
      ? { href: link, label: actionOf(language, section), hint: phrase(language, 'mail.address') }
      : undefined,
    note: textFor('note'),
    footer: phrase(language, 'mail.footer'),
  };
  return renderParts(parts);
};

/** The content of a mail as HTML and as text. */
export const renderParts = (parts: MailParts): RenderedMail => ({
  subject: parts.subject,
  html: renderHtml(parts),
  text: textOf(parts),
});

const sectionOf = (template: MailTemplate, values: QueuedMail['values']): Section => {
  switch (template) {
    case 'invitation':
      return 'invitation';
    case 'password-reset':
      return 'passwordReset';
    case 'sign-in-code':
      return 'signInCode';
    case 'password-changed':
      return 'passwordChanged';
    case 'two-factor-changed':
      return values['state'] === 'enabled' ? 'twoFactorEnabled' : 'twoFactorDisabled';
  }
};

const actionOf = (language: Language, section: Section): string =>
  section === 'invitation' || section === 'passwordReset'
    ? phrase(language, `mail.${section}.action`)
    : phrase(language, 'mail.open');

const textOf = ({ title, greeting, body, code, button, note, footer }: MailParts): string =>
  [title, greeting, body, code, button && `${button.label}:\n${button.href}`, note, `-- \n${footer}`]
    .filter((part) => part !== undefined)
    .join('\n\n')
    .concat('\n');
