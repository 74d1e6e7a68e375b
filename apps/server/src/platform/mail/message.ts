import { type Language, languages } from '@simcube/contract';
import { z } from 'zod';

/** The values of each kind of mail. */
export interface MailValues {
  /** Invitation to an organisation; its link opens the page to accept it. */
  invitation: { inviter: string; organisation: string; days: number };
  'password-reset': { name: string; minutes: number };
  'sign-in-code': { code: string; minutes: number };
  'password-changed': { name: string };
  'two-factor-changed': { name: string; state: 'enabled' | 'disabled' };
}
export type MailTemplate = keyof MailValues;
export const mailTemplates = [
  'invitation',
  'password-reset',
  'sign-in-code',
  'password-changed',
  'two-factor-changed',
] as const satisfies readonly MailTemplate[];

/** A page of the console. Secrets are only in the fragment, which browsers send to no server. */
export interface MailLink {
  path: string;
  fragment: Record<string, string>;
}

export type MailMessage = {
  [T in MailTemplate]: {
    to: string;
    /** The receiver's language. */
    language: Language;
    template: T;
    values: MailValues[T];
    link?: MailLink;
  };
}[MailTemplate];

/**
 * The sealed content of the queue: everything that a mail consists of, so that a repeated attempt sends the
 * same mail.
 */
export const queuedMailSchema = z.object({
  to: z.string(),
  language: z.enum(languages),
  template: z.enum(mailTemplates),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  link: z.string().optional(),
  messageId: z.string(),
  queuedAt: z.iso.datetime(),
});
export type QueuedMail = z.output<typeof queuedMailSchema>;

/** RFC 5321, 4.5.3.1: servers need not accept a longer address, in octets. */
const maxAddressLength = 254;
const addressSchema = z.email().max(maxAddressLength);
const invisibleCharacters = /[\s\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu;
const maxValueLength = 200;

/** @throws Error when the address is invalid; a line break in it could inject headers */
export const requireValidAddress = (to: string): string => {
  const parsed = addressSchema.safeParse(to);
  if (!parsed.success) throw new Error('A mail has no valid recipient');
  return parsed.data;
};

/**
 * Makes names that people chose safe for a subject and a sentence: one line, no characters that change the
 * reading direction, bounded length, and nothing that a mail program would turn into a link (invitations carry
 * names to strangers).
 */
export const sanitizedValues = (values: Record<string, string | number>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? sanitize(value) : value]),
  );

const wordJoiner = '\u2060';

const sanitize = (value: string): string =>
  value
    .replaceAll(invisibleCharacters, ' ')
    .trim()
    .slice(0, maxValueLength)
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/\.(?=\p{L}{2,})|:(?=\/\/)/gu, (mark) => mark + wordJoiner);
