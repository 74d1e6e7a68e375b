import { createHash, randomInt } from 'node:crypto';
import { limits } from '@simcube/contract';
import { minuteMs } from '@simcube/contract/time';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { defineJob, enqueue } from '../../../platform/jobs/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import {
  consumeMailedCode,
  findSentAt,
  isMailedCode,
  writeMailedCode,
} from '../attempts/mailed-codes.queries.ts';
import { findUserByEmail } from '../people/people.queries.ts';
import { languageOf } from '../people/people.rules.ts';

/** Half the code's lifetime: a stranger who requests codes must not void the owner's before it is typed. */
const minMailIntervalMs = (limits.mailedCodeMinutes / 2) * minuteMs;

/**
 * A job looks up the address: the call that requires a code does the same work whether the address is known or
 * not. The payload is sealed, because it contains the code.
 */
export const mailCodeJob = defineJob({
  name: 'identity.mail-sign-in-code',
  payload: z.object({ sealed: z.string() }),
  maxAttempts: 5,
  timeoutMs: minuteMs,
});

const payloadSchema = z.object({ email: z.string(), code: z.string() });

export type MailedCodes = ReturnType<typeof createMailedCodes>;

/** One-time codes of six digits that are mailed after failed sign-ins. */
export const createMailedCodes = (deps: { pool: pg.Pool; clock: Clock; vault: Vault; mail: Mail }) => {
  const { pool, clock, vault, mail } = deps;
  return {
    /** Creates a code for the address, known or not, at most one in five minutes. */
    async send(tx: Sql, { email, addressKey }: { email: string; addressKey: Buffer }): Promise<void> {
      const now = clock.now();
      const sentAt = await findSentAt(tx, addressKey);
      if (sentAt && now.getTime() - sentAt.getTime() < minMailIntervalMs) return;
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await writeMailedCode(tx, {
        addressKey,
        codeHash: hashOf(addressKey, code),
        sentAt: now,
        expiresAt: new Date(now.getTime() + limits.mailedCodeMinutes * minuteMs),
      });
      const sealed = vault.seal(JSON.stringify({ email, code } satisfies z.input<typeof payloadSchema>));
      await enqueue(tx, mailCodeJob, { sealed: sealed.toString('base64') });
    },

    /** Mails the code; a person with a second factor must use that, so no code is mailed. */
    async deliver({ sealed }: { sealed: string }): Promise<void> {
      const { email, code } = payloadSchema.parse(JSON.parse(vault.open(Buffer.from(sealed, 'base64'))));
      await inTransaction(pool, async (tx) => {
        const user = await findUserByEmail(tx, email);
        if (!user || user.disabledAt || user.totpEnabledAt) return;
        await mail.queue(tx, {
          to: user.email,
          language: languageOf(user.locale),
          template: 'sign-in-code',
          values: { code, minutes: limits.mailedCodeMinutes },
        });
      });
    },

    matches: (addressKey: Buffer, code: string): Promise<boolean> =>
      isMailedCode(pool, { addressKey, codeHash: hashOf(addressKey, code), now: clock.now() }),

    /** @returns false when it was used concurrently */
    consume: (tx: Sql, addressKey: Buffer, code: string): Promise<boolean> =>
      consumeMailedCode(tx, { addressKey, codeHash: hashOf(addressKey, code) }),
  };
};

const hashOf = (addressKey: Buffer, code: string): Buffer =>
  createHash('sha256').update(addressKey).update(code).digest();
