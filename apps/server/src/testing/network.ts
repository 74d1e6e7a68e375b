import { createListener } from '../platform/db/index.ts';
import { createLog } from '../platform/log/index.ts';
import { testApp } from './app.ts';
import { startBackground } from './background.ts';
import { openCoaGateway } from './coa-gateway.ts';
import { radiusInventory, testRadius } from './radius.ts';

/** Time limit for an order or a threshold to reach the network. */
export const withinTwoSeconds = { timeout: 2_000, interval: 20 };
/**
 * For tests that measure this time: facts wait for every transaction of the database server, including those of
 * test files that run concurrently, so one success in three attempts suffices.
 */
export const untilOneSucceeds = { retry: 2 };

/** The server with its worker, its RADIUS ports and a gateway that receives its requests, all real. */
export const testNetwork = async () => {
  const test = await testApp();
  const gateway = await openCoaGateway();
  // The server loads gateways when it starts.
  await radiusInventory(test.database, 1, { coaPort: gateway.port });
  const listener = createListener(test.database.url, createLog({ level: 'silent', format: 'json' }));
  const server = await testRadius(test.database, test.clock, { listener });
  const background = await startBackground(test);
  return {
    test,
    gateway,
    server,
    close: async () => {
      await background.stop();
      await server.stop();
      await listener.close();
      gateway.close();
      await test.close();
    },
  };
};
