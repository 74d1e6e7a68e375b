import type pg from 'pg';
import { type GatewayOptions, SmsGateway } from './gateway.ts';
import { endLease, tryLease } from './lease.queries.ts';

const retryMs = 2000;

/**
 * Runs the gateway in exactly one process. The others wait until it ends, however that happens, because the database
 * then releases its lock.
 */
export const startSmsGateway = async (options: GatewayOptions): Promise<{ stop: () => Promise<void> }> => {
  let isStopped = false;
  let held: { client: pg.PoolClient; gateway: SmsGateway } | undefined;
  let acquiring: Promise<void> | undefined;

  const release = async (isBroken: boolean): Promise<void> => {
    const previous = held;
    held = undefined;
    if (!previous) return;
    await previous.gateway.stop();
    if (!isBroken) await endLease(previous.client).catch(() => undefined);
    previous.client.release(isBroken);
  };

  const acquire = async (): Promise<void> => {
    const client = await options.pool.connect();
    if (!(await tryLease(client))) return client.release();
    const gateway = new SmsGateway(options);
    held = { client, gateway };
    // Another process may get the lock from now on, so this one writes nothing more.
    client.on('error', () => {
      release(true).catch(() => undefined);
    });
    try {
      await gateway.start();
    } catch (error) {
      await release(false);
      throw error;
    }
  };

  const attempt = (): void => {
    if (isStopped || held || acquiring) return;
    acquiring = acquire()
      .catch((error: Error) => {
        if (!isStopped) options.log.warn({ err: error }, 'the SMS gateway could not start');
      })
      .finally(() => {
        acquiring = undefined;
      });
  };

  attempt();
  await acquiring;
  const timer = setInterval(attempt, retryMs);
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await acquiring;
      await release(false);
    },
  };
};
