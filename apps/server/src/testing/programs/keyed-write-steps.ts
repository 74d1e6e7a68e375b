import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';
import { countedWrite } from '../keyed-write.ts';

/**
 * Does one write with an Idempotency-Key and kills itself: `node … <url> <key> <step>`; steps are those of a
 * crashing pool.
 */
const [url = '', key = '', step = ''] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 4, name: 'keyed write steps', onError: () => undefined });
const crashing = crashingPool(pool, crashAt(step, 1));
const log = createLog({ level: 'silent', format: 'json' });
await countedWrite({ pool: crashing, sql: pool, log }, key);
await close();
