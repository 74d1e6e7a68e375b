import { setTimeout as sleep } from 'node:timers/promises';
import { notifyModule } from '../../modules/notify/index.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';

/** Delivers for the tests of notifications, and kills itself when the first request has reached its receiver. */
const [url = ''] = process.argv.slice(2);
const { pool } = connect({ url, max: 6, name: 'deliver steps', onError: () => undefined });
const clock = new FixedClock('2026-11-21T12:00:00Z');
const module = notifyModule({ pool, clock, vault: vaultOf(Buffer.alloc(32, 7)) });
await module.startDelivering({
  mailer: { send: async () => undefined },
  outbound: async ({ url: to, body, headers }) => {
    await fetch(to, { method: 'POST', body: String(body), headers: { ...headers } });
    process.kill(process.pid, 'SIGKILL');
    return sleep(30_000, { status: 200, headers: {}, body: Buffer.alloc(0) });
  },
  log: createLog({ level: 'silent', format: 'json' }),
  metrics: createMetrics(),
});
