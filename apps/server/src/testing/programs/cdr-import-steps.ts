import type { Pool, PoolClient } from 'pg';
import { fileSource, importCdrs } from '../../modules/usage/index.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';

/**
 * Takes in a file of CDRs in chunks of a few rows, and dies as by a crash: `node … <url> <file> <clock> <step> <n>`.
 * Steps: `statement`, before the n-th statement of the transactions that write; `before-commit` and `after-commit`;
 * `chunk`, when the n-th chunk was told of.
 */
const [url = '', path = '', at = '', step = '', count = '1'] = process.argv.slice(2);
const rows = 10;
const piece = 256;
let left = Number(count);

const reach = (name: string): void => {
  if (name !== step) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};

const { pool, close } = connect({ url, max: 2, name: 'cdr import steps', onError: () => undefined });

const member = (of: object, name: PropertyKey): unknown => {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? value.bind(of) : value;
};

const mortalClient = (client: PoolClient): PoolClient =>
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

/** The same pool, whose transactions may be cut off at each of their statements. */
const mortal: Pool = new Proxy(pool, {
  get: (of, name) => (name === 'connect' ? async () => mortalClient(await of.connect()) : member(of, name)),
});

const source = await fileSource(path);
async function* inPieces(from: number): AsyncGenerator<Buffer> {
  for await (const octets of source.open(from)) {
    for (let start = 0; start < octets.length; start += piece) yield octets.subarray(start, start + piece);
  }
}
await importCdrs({
  pool: mortal,
  clock: new FixedClock(at),
  source: { ...source, open: inPieces },
  chunkRows: rows,
  onProgress: () => reach('chunk'),
});
await close();
