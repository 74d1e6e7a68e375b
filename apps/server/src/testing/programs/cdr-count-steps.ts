import { refreshCounts } from '../../modules/cdr/counts/counts.service.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';

/** Computes hours of CDRs for the tests of sums, and kills itself at a step (`crashingPool`). */
const [url = '', now = '', step = '', count = '', maxRecords] = process.argv.slice(2);
const { pool } = connect({ url, max: 2, name: 'cdr count steps', onError: () => undefined });
await refreshCounts({
  pool: crashingPool(pool, crashAt(step, Number(count))),
  clock: new FixedClock(now),
  signal: new AbortController().signal,
  ...(maxRecords === undefined ? {} : { maxRecords: Number(maxRecords) }),
});
await pool.end();
