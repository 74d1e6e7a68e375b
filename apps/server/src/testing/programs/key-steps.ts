import { sealedStores } from '../../main/sealed-stores.ts';
import { connect } from '../../platform/db/index.ts';
import { exchangeKey, openInstallationKey } from '../../platform/secrets/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';

/** Exchanges the sealing key, and kills itself: `node … <url> <data directory> <step> <n>`. */
const [url = '', dataDir = '', step = '', count = '1'] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 2, name: 'key steps', onError: () => undefined });
const reachStep = crashAt(step, Number(count));
const source = { secretKey: undefined, dataDir };
const ring = await openInstallationKey({ pool, source, stores: sealedStores }, { mayCreate: false });
await exchangeKey({
  pool: crashingPool(pool, reachStep),
  source,
  ring,
  stores: sealedStores,
  record: async () => undefined,
  pauseMs: 0,
});
await close();
