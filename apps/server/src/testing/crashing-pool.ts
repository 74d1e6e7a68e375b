import type { Pool, PoolClient } from 'pg';

/** Kills the process when it reaches a named step for the n-th time. */
export const crashAt = (step: string, count: number): ((name: string) => void) => {
  let remaining = count;
  return (name) => {
    if (name !== step) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, 'SIGKILL');
  };
};

const memberOf = (of: object, name: PropertyKey): unknown => {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? value.bind(of) : value;
};

const crashingClient = (client: PoolClient, reachStep: (name: string) => void): PoolClient =>
  new Proxy(client, {
    get: (of, name) =>
      name === 'query'
        ? (...args: Parameters<PoolClient['query']>) => {
            const isCommit = String(args[0]) === 'commit';
            reachStep('statement');
            if (isCommit) reachStep('before-commit');
            const result: unknown = of.query(...args);
            // A COPY is a stream, not a promise.
            if (isCommit && result instanceof Promise) return result.finally(() => reachStep('after-commit'));
            return result;
          }
        : memberOf(of, name),
  });

/**
 * The same pool, whose work may be interrupted at the steps `statement` (before each of a transaction),
 * `before-commit`, `after-commit`, and `alone` (before each statement outside of transactions).
 */
export const crashingPool = (pool: Pool, reachStep: (name: string) => void): Pool =>
  new Proxy(pool, {
    get: (of, name) => {
      if (name === 'connect') return async () => crashingClient(await of.connect(), reachStep);
      if (name !== 'query') return memberOf(of, name);
      return (...args: Parameters<Pool['query']>) => {
        reachStep('alone');
        return of.query(...args);
      };
    },
  });
