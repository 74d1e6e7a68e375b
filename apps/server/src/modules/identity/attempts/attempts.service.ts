import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { ErrorCode } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { normaliseAddress } from '../../org/index.ts';
import {
  type CounterKey,
  clearFailures,
  ensureFailures,
  lockFailures,
  writeFailures,
} from './attempts.queries.ts';
import {
  type Failures,
  type Policy,
  policies,
  remainingLockMs,
  unexpiredFailures,
  withFailure,
  withoutFailure,
} from './attempts.rules.ts';

/** A counter of attempts. */
export interface Counter extends CounterKey {
  policy: Policy;
}

export type Attempts = ReturnType<typeof createAttempts>;

const counterOf = (policy: Policy, value: string): Counter => ({
  policy,
  kind: policy.kind,
  key: createHash('sha256').update(value).digest(),
});

/** Kinds of guesses at one person's secrets are counted separately: success with one does not prove another. */
export const counters = {
  signIn: (email: string): Counter => counterOf(policies.signIn, email),
  secondFactor: (userId: string): Counter => counterOf(policies.secondFactor, `code ${userId}`),
  reauthentication: (userId: string): Counter => counterOf(policies.reauthentication, `password ${userId}`),
  /** By address, known or not, so that a lock does not reveal who exists. */
  resetToken: (email: string): Counter => counterOf(policies.resetToken, `reset ${email}`),
  /** The widest first: counters are locked in this order. */
  invitation: ({ orgId, email }: { orgId: number; email: string }): Counter[] => [
    counterOf(policies.sameOrganisation, `inviting ${orgId}`),
    counterOf(policies.sameAddress, `invited ${email}`),
    counterOf(policies.sameInvitation, `invited ${email} by ${orgId}`),
  ],
  network: (address: string): Counter => counterOf(policies.network, networkOf(address)),
};

/** IPv6 addresses count by their /64 (RFC 4291, 2.5.4): other addresses in it are the same caller. */
const networkOf = (address: string): string => {
  const plain = normaliseAddress(address) ?? 'not an address';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = (part: string) => (part ? part.split(':') : []);
  const zeros = plain.includes('::') ? 8 - groups(head).length - groups(tail).length : 0;
  return [...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail)].slice(0, 4).join(':');
};

/** More often than a row can disappear during one attempt: each time a success or the purge was faster. */
const maxLockTries = 20;

/**
 * Locks a counter's row. If a success deletes it concurrently, it is created again, so that no attempt goes
 * uncounted.
 */
const lockCounter = async (tx: Sql, counter: Counter, now: Date): Promise<Failures> => {
  for (let i = 0; i < maxLockTries; i += 1) {
    await ensureFailures(tx, counter, now);
    const known = await lockFailures(tx, counter);
    if (known) return known;
  }
  throw new Error('A counter of failed attempts could not be held');
};

/**
 * Attempts at anything that can be guessed. Each is counted as a failure, in a separate transaction, before it
 * is verified, so that concurrent attempts can't all pass before the first is counted. Success uncounts it.
 * Counters are always locked in the same order, the network's last: attempts never deadlock, and the network's
 * row is locked only briefly.
 */
export const createAttempts = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => {
  /**
   * Locks the counters.
   * @throws Failure CB-07-0006, or the given code, while one of them is locked
   */
  const checkLocks = async (
    tx: Sql,
    named: readonly Counter[],
    code: ErrorCode = 'CB-07-0006',
  ): Promise<(Failures | undefined)[]> => {
    const now = clock.now();
    const previous: (Failures | undefined)[] = [];
    for (const counter of named) {
      const known = await lockCounter(tx, counter, now);
      const leftMs = remainingLockMs(known, now);
      if (leftMs > 0) fail(code, { retryAfterSeconds: leftMs / 1000 });
      previous.push(unexpiredFailures(counter.policy, known, now));
    }
    return previous;
  };

  const count = async (
    tx: Sql,
    named: readonly Counter[],
    previous: readonly (Failures | undefined)[],
  ): Promise<void> => {
    for (const [index, counter] of named.entries()) {
      await writeFailures(tx, counter, withFailure(counter.policy, previous[index], clock.now()));
    }
  };

  return {
    checkLocks,
    count,

    /**
     * Counts an attempt before it is verified.
     * @throws Failure CB-07-0006
     */
    begin: (named: readonly Counter[]): Promise<void> =>
      inTransaction(pool, async (tx) => count(tx, named, await checkLocks(tx, named))),

    /**
     * Uncounts an attempt that was not one, or that succeeded but proves nothing about the others under this
     * counter.
     */
    async uncount(tx: Sql, named: readonly Counter[]): Promise<void> {
      for (const counter of named) {
        const known = await lockFailures(tx, counter);
        if (known) await writeFailures(tx, counter, withoutFailure(counter.policy, known));
      }
    },

    /** The secret is proven: all failures are forgotten. */
    async clear(tx: Sql, named: readonly Counter[]): Promise<void> {
      for (const counter of named) await clearFailures(tx, counter);
    },
  };
};
