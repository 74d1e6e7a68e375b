import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../clock/index.ts';
import type { Sql } from '../db/index.ts';
import type { MailAddress } from '../env/index.ts';
import { defineJob, enqueue } from '../jobs/index.ts';
import type { Vault } from '../secrets/index.ts';
import {
  type MailLink,
  type MailMessage,
  type QueuedMail,
  queuedMailSchema,
  requireValidAddress,
  sanitizedValues,
} from './message.ts';

/** Mails to people, sent in the background. */
export interface Mail {
  /**
   * Queues a mail in the caller's transaction: it is sent after the commit, and never without it.
   * @throws Error when the receiver's address is invalid
   */
  queue(tx: Sql, message: MailMessage): Promise<void>;
}

/** Attempts for a day: the queue's pauses grow from seconds to six hours, and the job gives up at its deadline. */
export const sendMailJob = defineJob({
  name: 'mail.send',
  payload: z.object({ sealed: z.base64() }),
  maxAttempts: 16,
  timeoutMs: 120_000,
});

export interface MailOptions {
  vault: Vault;
  clock: Clock;
  from: MailAddress;
  /** The console's address; known at the latest when the server listens. */
  publicUrl: () => string;
}

export const createMail = ({ vault, clock, from, publicUrl }: MailOptions): Mail => ({
  async queue(tx, { to, language, template, values, link }) {
    const mail: QueuedMail = {
      to: requireValidAddress(to),
      language,
      template,
      values: sanitizedValues({ ...values }),
      ...(link && { link: linkUrl(`${publicUrl()}/${language}`, link) }),
      // Created once: a mail that is sent twice because of a crash is recognised as the same.
      messageId: messageIdOf(randomUUID(), from),
      queuedAt: clock.now().toISOString(),
    };
    // Sealed: links and codes open accounts, and the queue is part of every backup.
    const sealed = vault.seal(JSON.stringify(mail)).toString('base64');
    await enqueue(tx, sendMailJob, { sealed });
  },
});

/** RFC 5322, 3.6.4: unique in the sender's domain. */
export const messageIdOf = (id: string, from: MailAddress): string =>
  `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;

export const linkUrl = (
  base: string,
  { path, fragment }: Pick<MailLink, 'path'> & Partial<MailLink>,
): string => new URL(`${base}${path}${fragment ? `#${new URLSearchParams(fragment)}` : ''}`).href;

/** Opens what `queue` sealed. */
export const openQueuedMail = (vault: Vault, sealed: string): QueuedMail =>
  queuedMailSchema.parse(JSON.parse(vault.open(Buffer.from(sealed, 'base64'))));
