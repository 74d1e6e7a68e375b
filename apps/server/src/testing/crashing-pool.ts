import type { Pool, PoolClient } from 'pg';

/** Kills the process when it reaches a named step for the n-th time. */
export const crashAt = (step: string, count: number): ((name: string) => void) => {
  let left = count;
  return (name) => {
    if (name !== step) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
};

const member = (of: object, name: PropertyKey): unknown => {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? value.bind(of) : value;
};

const mortalClient = (client: PoolClient, reach: (name: string) => void): PoolClient =>
  new Proxy(client, {
    get: (of, name) =>
      name === 'query'
        ? (...args: Parameters<PoolClient['query']>) => {
            const isCommit = String(args[0]) === 'commit';
            reach('statement');
            if (isCommit) reach('before-commit');
            const result: unknown = of.query(...args);
            // A COPY is a stream, not a promise.
            if (isCommit && result instanceof Promise) return result.finally(() => reach('after-commit'));
            return result;
          }
        : member(of, name),
  });

/**
 * The same pool, whose work may be interrupted at the steps `statement` (before each of a transaction),
 * `before-commit`, `after-commit`, and `alone` (before each statement outside of transactions).
 */
export const crashingPool = (pool: Pool, reach: (name: string) => void): Pool =>
  new Proxy(pool, {
    get: (of, name) => {
      if (name === 'connect') return async () => mortalClient(await of.connect(), reach);
      if (name !== 'query') return member(of, name);
      return (...args: Parameters<Pool['query']>) => {
        reach('alone');
        return of.query(...args);
      };
    },
  });
