import { hash, parseOptions, verify } from '@node-rs/argon2';

/** What argon2id takes for each password: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** By OWASP's password storage advice: 19 MiB, two passes, one lane. About 40 ms on one core. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Two at once is 38 MiB and leaves half of libuv's four threads to files and name look-ups. More than a hundred in the
 * queue would wait longer than a person does; the caller is asked to try again.
 */
const bounds = { running: 2, waiting: 100 };

export class HasherBusy extends Error {}

export interface Hasher {
  hash(password: string): Promise<string>;
  /** True when it fits. Without a stored hash it takes as long and returns false, so that accounts can't be enumerated. */
  verify(stored: string | undefined, password: string): Promise<boolean>;
  /** Whether a stored hash was made at another cost than today's. */
  isOutdated(stored: string): boolean;
}

type HasherOptions = Partial<typeof bounds> & { cost?: PasswordCost | undefined };

/** Hashes off the event loop, a bounded number at once. @throws HasherBusy when too many wait already */
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
        const fits = await verify(stored ?? (await dummyHash()), password);
        return stored !== undefined && fits;
      }),
    isOutdated: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
    },
  };
};

/** Runs tasks in order of arrival, `running` at once, with at most `waiting` in the queue. */
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
