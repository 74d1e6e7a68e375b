import { generateDueReports } from '../../modules/report/report.jobs.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';

/**
 * Makes the due reports, and kills itself: `node … <url> <clock> <step> <n>`. Steps are those of a crashing pool;
 * `none` ends when all is done.
 */
const [url = '', at = '', step = '', count = '1'] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 4, name: 'report steps', onError: () => undefined });

await generateDueReports({
  pool: crashingPool(pool, crashAt(step, Number(count))),
  clock: new FixedClock(at),
});
await close();
