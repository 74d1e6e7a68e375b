import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { ErrorCode } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { plainAddress } from '../../org/index.ts';
import {
  type CountedAs,
  clearFailures,
  ensureFailures,
  lockFailures,
  writeFailures,
} from './attempts.queries.ts';
import {
  afterFailure,
  counting,
  type Failures,
  lockLeftMs,
  type Policy,
  policies,
  withoutOne,
} from './attempts.rules.ts';

/** One thing that attempts are counted under. */
export interface Counter extends CountedAs {
  policy: Policy;
}

export type Attempts = ReturnType<typeof createAttempts>;

const counterOf = (policy: Policy, value: string): Counter => ({
  policy,
  kind: policy.kind,
  key: createHash('sha256').update(value).digest(),
});

/** Kinds of guesses at one person's secrets are counted apart: success with one says nothing about another. */
export const counters = {
  signIn: (email: string): Counter => counterOf(policies.signIn, email),
  secondFactor: (userId: string): Counter => counterOf(policies.secondFactor, `code ${userId}`),
  passwordProof: (userId: string): Counter => counterOf(policies.passwordProof, `password ${userId}`),
  /** By address, known or not, so that a lock does not reveal who exists. */
  resetToken: (email: string): Counter => counterOf(policies.resetToken, `reset ${email}`),
  /** The widest first, as they are held in this order. */
  invitation: ({ orgId, email }: { orgId: number; email: string }): Counter[] => [
    counterOf(policies.sameOrganisation, `inviting ${orgId}`),
    counterOf(policies.sameAddress, `invited ${email}`),
    counterOf(policies.sameInvitation, `invited ${email} by ${orgId}`),
  ],
  network: (address: string): Counter => counterOf(policies.network, networkOf(address)),
};

/** IPv6 addresses count by their /64 (RFC 4291, 2.5.4): another address in it is the same caller. */
const networkOf = (address: string): string => {
  const plain = plainAddress(address) ?? 'not an address';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = (part: string) => (part ? part.split(':') : []);
  const zeros = plain.includes('::') ? 8 - groups(head).length - groups(tail).length : 0;
  return [...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail)].slice(0, 4).join(':');
};

/** More than ever disappear under one attempt: each time a success or the purge was faster. */
const holdTries = 20;

/** The row of a counter, held. One that a success deletes meanwhile is created again: no attempt goes uncounted. */
const hold = async (tx: Sql, counter: Counter, now: Date): Promise<Failures> => {
  for (let i = 0; i < holdTries; i += 1) {
    await ensureFailures(tx, counter, now);
    const known = await lockFailures(tx, counter);
    if (known) return known;
  }
  throw new Error('A counter of failed attempts could not be held');
};

/**
 * Attempts at anything that can be guessed. Each is counted as a failure, in a transaction of its own, before it is
 * judged: many at once can't all slip in before the first is counted. Success takes it back. Counters are always
 * named in the same order, the network's last: two attempts never wait for each other, and its row is held shortly.
 */
export const createAttempts = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => {
  /** Holds the counters. @throws Failure CB-07-0006, or the code given, while one of them pauses */
  const look = async (
    tx: Sql,
    named: readonly Counter[],
    code: ErrorCode = 'CB-07-0006',
  ): Promise<(Failures | undefined)[]> => {
    const now = clock.now();
    const found: (Failures | undefined)[] = [];
    for (const counter of named) {
      const known = await hold(tx, counter, now);
      const leftMs = lockLeftMs(known, now);
      if (leftMs > 0) fail(code, { retryAfterSeconds: leftMs / 1000 });
      found.push(counting(counter.policy, known, now));
    }
    return found;
  };

  const count = async (
    tx: Sql,
    named: readonly Counter[],
    found: readonly (Failures | undefined)[],
  ): Promise<void> => {
    for (const [index, counter] of named.entries()) {
      await writeFailures(tx, counter, afterFailure(counter.policy, found[index], clock.now()));
    }
  };

  return {
    look,
    count,

    /** Counts an attempt before it is judged. @throws Failure CB-07-0006 */
    begin: (named: readonly Counter[]): Promise<void> =>
      inTransaction(pool, async (tx) => count(tx, named, await look(tx, named))),

    /** The attempt was none, or was right but says nothing about the others under this counter. */
    async takeBack(tx: Sql, named: readonly Counter[]): Promise<void> {
      for (const counter of named) {
        const known = await lockFailures(tx, counter);
        if (known) await writeFailures(tx, counter, withoutOne(counter.policy, known));
      }
    },

    /** What was guessed at is proven: all failures are forgotten. */
    async clear(tx: Sql, named: readonly Counter[]): Promise<void> {
      for (const counter of named) await clearFailures(tx, counter);
    },
  };
};
