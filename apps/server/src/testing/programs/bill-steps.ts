import { runDueBilling } from '../../modules/finance/finance.jobs.ts';
import { rollOverPools } from '../../modules/pool/rollover.service.ts';
import { turnDueCycles } from '../../modules/usage/cycle-turns.service.ts';
import { eventRecorder } from '../../modules/webhook/events/record.service.ts';
import { setDayOffset } from '../../platform/clock/business-day.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { consumeOnce } from '../../platform/outbox/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';
import { waitForOlderTransactions } from '../older-transactions.ts';

/**
 * Ends cycles and pools' cycles, does a day's work on bills, records their events for developers, and kills
 * itself: `node … <url> <clock> <step> <n> <hours>`, the hours by which business days are ahead of UTC. Steps
 * are those of a crashing pool; `none` ends when all is done.
 */
const [url = '', at = '', step = '', count = '1', hours = '8'] = process.argv.slice(2);
setDayOffset(Number(hours));
const { pool, close } = connect({ url, max: 4, name: 'bill steps', onError: () => undefined });
const crashing = crashingPool(pool, crashAt(step, Number(count)));
const clock = new FixedClock(at);
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };

await turnDueCycles({ pool: crashing, now: clock.now() });
await rollOverPools({ pool: crashing, now: clock.now(), log: report.log });
await runDueBilling({ pool: crashing, clock });
await waitForOlderTransactions(pool);
const recorder = eventRecorder({ pool: crashing, clock });
while ((await consumeOnce(crashing, recorder, report)).handled > 0);
await close();
