import { startRadius } from '../../modules/aaa/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';
import { alwaysReady } from '../readiness.ts';

/**
 * Only a RADIUS server, in a separate process that a test or benchmark may kill: `intake-process <database url>
 * <key, hex> [<auth port> <acct port>]`. It prints its ports on standard output as one line of JSON.
 */
const [url = '', key = '', authPort = '0', acctPort = '0'] = process.argv.slice(2);

const log = createLog({ level: 'warn', format: 'json' });
const metrics = createMetrics();
const { pool } = connect({ url, max: 4, name: 'simcube intake test', onError: () => undefined });
const radius = await startRadius({
  pool,
  url,
  clock: systemClock,
  log,
  metrics,
  vault: vaultOf(Buffer.from(key, 'hex')),
  health: alwaysReady,
});
const auth = await radius.listenAuthentication('127.0.0.1', Number(authPort));
const acct = await radius.listenAccounting('127.0.0.1', Number(acctPort));
console.info(JSON.stringify({ authPort: auth.port, acctPort: acct.port }));

process.on('SIGTERM', () => {
  radius.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
