import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import nodemailer, { type SendMailOptions, type SMTPTransportOptions } from 'nodemailer';
import type { MailAddress } from '../env/index.ts';
import type { QueuedMail } from './message.ts';
import type { RenderedMail } from './render.ts';

export interface MailSettings {
  smtpUrl: string | undefined;
  from: MailAddress;
  /** Where mails are written if there is no mail server. */
  directory: string;
}

/** The result for the log. */
type Outcome = { messageId: string } | { file: string };

/** The receiver of a mail, and what identifies it. */
export type Envelope = Pick<QueuedMail, 'to' | 'language' | 'messageId' | 'queuedAt'>;

/** A mail that was not accepted; contains neither the receiver's address nor the server's text. */
export class MailRefused extends Error {
  /** An unknown address, or a mail that the server accepts from no sender, does not affect other mails. */
  readonly concerns: 'address' | 'mail' | 'server';
  /** The address receives no mail, now or later. What else is rejected may be due to settings that can be corrected. */
  readonly isFinal: boolean;

  constructor(message: string, { concerns, isFinal }: Pick<MailRefused, 'concerns' | 'isFinal'>) {
    super(message);
    this.name = 'MailRefused';
    this.concerns = concerns;
    this.isFinal = isFinal;
  }
}

export interface Transport {
  /** @throws MailRefused */
  send(mail: Envelope, rendered: RenderedMail): Promise<Outcome>;
}

export const createTransport = (settings: MailSettings): Transport =>
  settings.smtpUrl ? smtpTransport(settings.smtpUrl, settings.from) : folderTransport(settings);

const smtpTransport = (url: string, from: MailAddress): Transport => {
  const transporter = nodemailer.createTransport(smtpOptions(url));
  return {
    async send(mail, rendered) {
      try {
        await transporter.sendMail(mimeOf({ mail, rendered, from }));
      } catch (error) {
        throw refusal(error);
      }
      return { messageId: mail.messageId };
    },
  };
};

/**
 * Options for the mail server's address. Its certificate is always verified, and mails that open accounts are
 * never sent unencrypted: without TLS only on this machine, or if the address says `?tls=optional` (a relay in
 * a private network).
 */
export const smtpOptions = (text: string): SMTPTransportOptions => {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const loopback = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !loopback && url.searchParams.get('tls') !== 'optional',
    tls: { rejectUnauthorized: !loopback },
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    dnsTimeout: 10_000,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
  };
};

const maxMailFiles = 1000;

/** Writes one file per mail, named after the time of queueing: a repeated attempt overwrites the same file. */
const folderTransport = ({ from, directory }: MailSettings): Transport => {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail, rendered) {
      const { message } = await composer.sendMail(mimeOf({ mail, rendered, from }));
      const id = mail.messageId.slice(1, mail.messageId.indexOf('@'));
      const file = `${mail.queuedAt.replaceAll(/[-:]/g, '')}-${id}.eml`;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const partialFile = join(directory, `.${file}.part`);
      await writeFile(partialFile, message as Buffer, { mode: 0o600 });
      await rename(partialFile, join(directory, file));
      await dropOldest(directory);
      return { file };
    },
  };
};

const dropOldest = async (directory: string): Promise<void> => {
  const mails = (await readdir(directory)).filter((name) => name.endsWith('.eml')).sort();
  for (const name of mails.slice(0, -maxMailFiles)) await rm(join(directory, name), { force: true });
};

interface Mime {
  mail: Envelope;
  rendered: RenderedMail;
  from: MailAddress;
}

const mimeOf = ({ mail, rendered, from }: Mime): SendMailOptions => ({
  from,
  to: { name: '', address: mail.to },
  ...rendered,
  messageId: mail.messageId,
  date: new Date(mail.queuedAt),
  headers: {
    // RFC 3834, 5: suppresses automatic replies; the second header is for Exchange.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    'Content-Language': mail.language,
  },
  // No part of a mail is ever read from a file or fetched from a URL.
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Replies of mail servers quote receivers and sometimes credentials, and errors are stored in the log and the
 * queue.
 */
const refusal = (error: unknown): MailRefused => {
  const { code, command, responseCode, response } = error as Record<string, unknown>;
  const reply = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  const isPermanent = typeof responseCode === 'number' && responseCode >= 500;
  const isFinal = code === 'EENVELOPE' && command === 'RCPT TO' && isOfAddress(String(response));
  const concerns = concernOf({ code, command, isPermanent, isFinal });
  return new MailRefused(`The mail server did not accept a mail: ${reply || 'unknown reason'}`, {
    concerns,
    isFinal,
  });
};

/**
 * Whether a reply rejects the address for good: by its enhanced code (RFC 3463, 5.1.x: the address, 5.2.x: the
 * mailbox), without one by the codes that are for mailboxes. Of a relay, 550 may also say that it accepts no mail from
 * this server; that concerns every mail, until the relay's settings are corrected.
 */
export const isOfAddress = (reply: string): boolean => {
  const [, code = '', enhanced] = /^(5\d\d)[ -](?:(5\.\d{1,3}\.\d{1,3})\b)?/.exec(reply) ?? [];
  if (enhanced !== undefined) return /^5\.[12]\./.test(enhanced);
  return ['550', '551', '553'].includes(code) && !/relay/i.test(reply);
};

/**
 * A permanent rejection of a recipient that is not about the address is about all mails of this server. A reply to
 * the mail's data is about its content or size (RFC 5321, 4.2.4.2 and 4.5.3.1.9): the next mail may
 * be accepted.
 */
const concernOf = (reply: {
  code: unknown;
  command: unknown;
  isPermanent: boolean;
  isFinal: boolean;
}): MailRefused['concerns'] => {
  if (reply.code === 'EENVELOPE' && reply.command === 'RCPT TO')
    return reply.isFinal || !reply.isPermanent ? 'address' : 'server';
  return reply.code === 'EMESSAGE' && reply.isPermanent ? 'mail' : 'server';
};
