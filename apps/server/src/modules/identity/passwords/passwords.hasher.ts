import { hash, parseOptions, verify } from '@node-rs/argon2';

/** Cost of argon2id per password: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's password storage recommendation: 19 MiB, two passes, one lane. About 40 ms on one core. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Two at a time use 38 MiB and leave half of libuv's four threads to files and name look-ups. With more than a
 * hundred in the queue, a person would wait too long; the caller is asked to try again.
 */
const bounds = { running: 2, waiting: 100 };

export class HasherBusy extends Error {}

export interface Hasher {
  hash(password: string): Promise<string>;
  /**
   * True when it matches. Without a stored hash it takes as long and returns false, so that accounts can't be
   * enumerated.
   */
  verify(stored: string | undefined, password: string): Promise<boolean>;
  /** Whether a stored hash was made at a different cost. */
  isOutdated(stored: string): boolean;
}

type HasherOptions = Partial<typeof bounds> & { cost?: PasswordCost | undefined };

/**
 * Hashes off the event loop, a limited number at a time.
 * @throws HasherBusy when too many are waiting
 */
export const createHasher = ({ cost = passwordCost, ...limits }: HasherOptions = {}): Hasher => {
  const turn = bounded({ ...bounds, ...limits });
  let dummy: Promise<string> | undefined;
  const dummyHash = () => {
    dummy ??= hash('nobody has this password', cost);
    return dummy;
  };
  return {
    hash: (password) => turn(() => hash(password, cost)),
    verify: (stored, password) =>
      turn(async () => {
        const matches = await verify(stored ?? (await dummyHash()), password);
        return stored !== undefined && matches;
      }),
    isOutdated: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
    },
  };
};

/** Runs tasks in order of arrival, `running` at a time, with at most `waiting` in the queue. */
const bounded = ({ running, waiting }: typeof bounds) => {
  let active = 0;
  const queue: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (active >= running) {
      if (queue.length >= waiting) throw new HasherBusy('Too many passwords wait to be checked');
      // A finished call passes its place on, so `active` does not change here.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      active += 1;
    }
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else active -= 1;
    }
  };
};
