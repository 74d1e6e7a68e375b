import { randomInt } from 'node:crypto';
import { limits } from '@simcube/contract';
import { Secret, TOTP } from 'otpauth';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { hashToken, UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import type { UserRow } from '../people/people.queries.ts';
import { normaliseRecoveryCode, recoveryCodeOf } from './recovery-codes.rules.ts';
import {
  consumeRecoveryCode,
  consumeStep,
  hasRecoveryCode,
  writeRecoveryCodes,
} from './two-factor.queries.ts';

const periodSeconds = 30;
/** One step early or late, for inaccurate clocks and the time it takes to type (RFC 6238, 5.2 and 6). */
const window = 1;
const issuer = 'SimCube';

/** A correct code; only `consume` uses it up. */
export type Factor = { kind: 'totp'; step: number } | { kind: 'recovery'; hash: Buffer };

export interface CodeVerification {
  factor: Factor | undefined;
  /** False: the secret can't be opened, so no code of the app can be verified; recovery codes still can. */
  isReadable: boolean;
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, thirty seconds) and recovery codes. */
export const createSecondFactor = (deps: { pool: pg.Pool; clock: Clock; vault: Vault }) => {
  const { pool, clock, vault } = deps;
  let dummy: Buffer | undefined;
  /** A dummy secret, verified if there is no second factor, so that the work is the same. */
  const dummySecret = (): Buffer => {
    dummy ??= vault.seal(new Secret({ size: 20 }).base32);
    return dummy;
  };

  /**
   * The time step of a six-digit code; undefined if it matches no accepted step.
   * @throws UnsealError when the secret was sealed with a lost key
   */
  const stepOf = (sealed: Buffer, code: string, lastStep: number | null): number | undefined => {
    const timestamp = clock.now().getTime();
    const totp = totpOf(Secret.fromBase32(vault.open(sealed)));
    const delta = totp.validate({ token: /^\d{6}$/.test(code) ? code : '000000', timestamp, window });
    if (delta === null || !/^\d{6}$/.test(code)) return undefined;
    const step = Math.floor(timestamp / (periodSeconds * 1000)) + delta;
    return lastStep === null || step > lastStep ? step : undefined;
  };

  const readStep = (sealed: Buffer, code: string, lastStep: number | null) => {
    try {
      return { step: stepOf(sealed, code, lastStep), isReadable: true };
    } catch (error) {
      if (error instanceof UnsealError) return { step: undefined, isReadable: false };
      throw error;
    }
  };

  /** Verifies a code without using it up; the work is the same without two-factor, and without an account. */
  const verifyCode = async (user: UserRow | undefined, typed: string): Promise<CodeVerification> => {
    // Apps show codes in two groups.
    const code = typed.replaceAll(/\s/g, '');
    const isOn = user?.totpEnabledAt != null;
    const secret = (isOn && user.totpSecret) || dummySecret();
    const { step, isReadable } = readStep(secret, code, user?.totpLastStep ?? null);
    const hash = hashToken(normaliseRecoveryCode(code) ?? code);
    const isRecoveryCode = await hasRecoveryCode(pool, { userId: user?.id ?? null, hash });
    if (!isOn) return { factor: undefined, isReadable };
    if (step !== undefined) return { factor: { kind: 'totp', step }, isReadable };
    return { factor: isRecoveryCode ? { kind: 'recovery', hash } : undefined, isReadable };
  };

  return {
    verifyCode,

    /**
     * The factor of a correct code, for a person whose password is proven.
     * @throws Failure CB-07-0010, or CB-07-0040 when the secret was sealed with a lost key
     */
    async requireFactor(user: UserRow, code: string): Promise<Factor> {
      const { factor, isReadable } = await verifyCode(user, code);
      return factor ?? fail(isReadable ? 'CB-07-0010' : 'CB-07-0040');
    },

    /** Confirms a secret with its first code. @throws Failure CB-07-0010, CB-07-0040 */
    confirm(sealed: Buffer, code: string, lastStep: number | null): number {
      const { step, isReadable } = readStep(sealed, code, lastStep);
      return step ?? fail(isReadable ? 'CB-07-0010' : 'CB-07-0040');
    },

    /**
     * Uses up a code.
     * @returns false when another request was faster: a code works once
     */
    consume: (tx: Sql, userId: string, factor: Factor): Promise<boolean> =>
      factor.kind === 'totp'
        ? consumeStep(tx, userId, factor.step)
        : consumeRecoveryCode(tx, { userId, hash: factor.hash, now: clock.now() }),

    /** A new secret: sealed for storage, and in the form for the app. */
    make(email: string): { sealed: Buffer; secret: string; uri: string } {
      const secret = new Secret({ size: 20 });
      return {
        sealed: vault.seal(secret.base32),
        secret: secret.base32,
        uri: totpOf(secret, email).toString(),
      };
    },

    /** @returns the codes, only this once: just their hashes are stored */
    async renewRecoveryCodes(tx: Sql, userId: string): Promise<string[]> {
      const codes = Array.from({ length: limits.recoveryCodes }, () =>
        recoveryCodeOf((below) => randomInt(below)),
      );
      await writeRecoveryCodes(
        tx,
        userId,
        codes.map((code) => hashToken(normaliseRecoveryCode(code) ?? code)),
      );
      return codes;
    },
  };
};

const totpOf = (secret: Secret, label = issuer): TOTP =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds });
