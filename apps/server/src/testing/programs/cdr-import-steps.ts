import { addToPools } from '../../modules/pool/index.ts';
import { fileSource, importCdrs } from '../../modules/usage/index.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';

/**
 * Imports a file of CDRs in chunks of a few rows, and kills itself: `node … <url> <file> <clock> <step> <n>`.
 * Steps: `statement`, before the n-th statement of the transactions that write; `before-commit` and
 * `after-commit`; `chunk`, when the n-th chunk was reported.
 */
const [url = '', path = '', at = '', step = '', count = '1'] = process.argv.slice(2);
const rows = 10;
const chunkBytes = 256;
const reachStep = crashAt(step, Number(count));
const { pool, close } = connect({ url, max: 2, name: 'cdr import steps', onError: () => undefined });

const source = await fileSource(path);
async function* inChunks(from: number): AsyncGenerator<Buffer> {
  for await (const octets of source.open(from)) {
    for (let start = 0; start < octets.length; start += chunkBytes)
      yield octets.subarray(start, start + chunkBytes);
  }
}
await importCdrs({
  countForPools: addToPools,
  pool: crashingPool(pool, reachStep),
  clock: new FixedClock(at),
  source: { ...source, open: inChunks },
  chunkRows: rows,
  onProgress: () => reachStep('chunk'),
});
await close();
