import { makeDue } from '../../modules/report/report.jobs.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { mortal, mortalPool } from '../mortal-pool.ts';

/**
 * Makes the due reports, and kills itself: `node … <url> <clock> <step> <n>`. Steps are those of a mortal pool;
 * `none` ends when all is done.
 */
const [url = '', at = '', step = '', count = '1'] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 4, name: 'report steps', onError: () => undefined });

await makeDue({ pool: mortalPool(pool, mortal(step, Number(count))), clock: new FixedClock(at) });
await close();
