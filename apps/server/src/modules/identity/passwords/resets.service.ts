import { createHash, randomBytes } from 'node:crypto';
import { limits } from '@simcube/contract';
import { minuteMs } from '@simcube/contract/time';
import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { defineJob, enqueue } from '../../../platform/jobs/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import { hashToken, type Vault } from '../../../platform/secrets/index.ts';
import { type Attempts, type Counter, counters } from '../attempts/attempts.service.ts';
import { recordPersonAudit } from '../people/people.audit.ts';
import { findUserByEmail, lockUser, type UserRow } from '../people/people.queries.ts';
import { isEmail, languageOf, nameOf, normaliseEmail } from '../people/people.rules.ts';
import type { SessionService } from '../sessions/sessions.service.ts';
import type { Passwords } from './passwords.service.ts';
import {
  consumeReset,
  countOpenResets,
  findReset,
  insertReset,
  wasResetSentSince,
} from './resets.queries.ts';

const minMailIntervalMs = minuteMs;

/** A job looks up the address: the call does the same work whether it is known or not. */
export const mailResetJob = defineJob({
  name: 'identity.mail-password-reset',
  payload: z.object({ sealed: z.string() }),
  maxAttempts: 5,
  timeoutMs: minuteMs,
});

const payloadSchema = z.object({
  email: z.string(),
  address: z.string().nullable(),
  traceId: z.string().nullable(),
});

export interface ResetsDeps {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  mail: Mail;
  attempts: Attempts;
  sessions: SessionService;
  passwords: Passwords;
}

export type Resets = ReturnType<typeof createResets>;

/** Forgotten passwords: a mailed link sets a new one, once, for half an hour. */
export const createResets = (deps: ResetsDeps) => {
  const { pool, clock, vault, mail, attempts, sessions, passwords } = deps;

  /** Mails a link if the caller's transaction commits; that transaction's audit entry says who requested it. */
  const send = async (tx: Sql, user: UserRow): Promise<void> => {
    const now = clock.now();
    const token = randomBytes(32).toString('base64url');
    await insertReset(tx, {
      userId: user.id,
      tokenHash: hashToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + limits.passwordResetMinutes * minuteMs),
    });
    await mail.queue(tx, {
      to: user.email,
      language: languageOf(user.locale),
      template: 'password-reset',
      values: { name: nameOf(user), minutes: limits.passwordResetMinutes },
      link: { path: '/login', fragment: { reset: token, email: user.email } },
    });
  };

  return {
    send,

    /**
     * Requests a link. An invalid address gets the same response as an unknown one.
     * @throws Failure CB-07-0002
     */
    async request({ email: typed, actor }: { email: string; actor: Actor }): Promise<void> {
      const email = normaliseEmail(typed);
      if (!email) fail('CB-07-0002');
      if (!isEmail(email)) return;
      const { address, traceId } = actor;
      const sealed = vault.seal(
        JSON.stringify({ email, address, traceId } satisfies z.input<typeof payloadSchema>),
      );
      // At most one job waits per address, however often a link is requested.
      const key = `reset ${createHash('sha256').update(email).digest('base64')}`;
      await enqueue(pool, mailResetJob, { sealed: sealed.toString('base64') }, { key });
    },

    /**
     * At most one mail a minute per address, and none while the maximum number of links is open: strangers can
     * neither fill a mailbox nor keep its owner from a link.
     */
    async deliver({ sealed }: { sealed: string }): Promise<void> {
      const payload = payloadSchema.parse(JSON.parse(vault.open(Buffer.from(sealed, 'base64'))));
      const found = await findUserByEmail(pool, payload.email);
      if (!found) return;
      await inTransaction(pool, async (tx) => {
        const now = clock.now();
        const user = await lockUser(tx, found.id);
        if (!user || user.disabledAt) return;
        if (await wasResetSentSince(tx, user.id, new Date(now.getTime() - minMailIntervalMs))) return;
        if ((await countOpenResets(tx, user.id, now)) >= limits.passwordResetLinks) return;
        await send(tx, user);
        await recordPersonAudit(tx, { user, actor: anonymousActor(payload), at: now });
      });
    },

    /**
     * Sets a new password with the mailed token, which is bound to the address.
     * @throws Failure CB-07-0002, CB-07-0006, CB-07-0013
     */
    async reset(request: { email: string; token: string; password: string; actor: Actor }): Promise<void> {
      const email = normaliseEmail(request.email);
      if (!email) fail('CB-07-0002');
      const { address } = request.actor;
      const byAddress = counters.resetToken(email);
      const byNetwork: Counter[] = address ? [counters.network(address)] : [];
      const counted = [byAddress, ...byNetwork] as const;
      await attempts.begin(counted);
      const tokenHash = hashToken(request.token);
      const userId = (await findReset(pool, { tokenHash, email, now: clock.now() })) ?? fail('CB-07-0013');
      const passwordHash = await passwords.hash(request.password, () =>
        inTransaction(pool, (tx) => attempts.uncount(tx, counted)),
      );
      await inTransaction(pool, async (tx) => {
        const now = clock.now();
        // The person is locked first, as everywhere: two resets wait for each other here.
        const user = (await lockUser(tx, userId)) ?? fail('CB-07-0013');
        if (!(await consumeReset(tx, tokenHash, now))) fail('CB-07-0013');
        await passwords.replace(tx, user, passwordHash);
        await attempts.clear(tx, [byAddress]);
        await attempts.uncount(tx, byNetwork);
        const actor: Actor = { ...request.actor, id: user.id, name: nameOf(user) };
        await recordPersonAudit(tx, { user, actor, at: now });
      });
      sessions.forgetPerson(userId);
    },
  };
};

/** The request for a link contains only an address. */
const anonymousActor = (from: z.output<typeof payloadSchema>): Actor => ({
  kind: 'person',
  id: null,
  name: from.email,
  address: from.address,
  traceId: from.traceId,
  action: 'password.reset-requested',
});
