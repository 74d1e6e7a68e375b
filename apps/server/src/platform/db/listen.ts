import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/index.ts';

/** Receives NOTIFY on its own connection, which it keeps alive; after a gap every listener is called once. */
export interface Listener {
  on(channel: string, heard: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
}

const channelName = /^[a-z_]+$/;

/** The connection's application_name, followed by the roles of the server. */
export const listenerName = 'simcube listen';

/** `roles` are those of the listening server; `doctor` reads them. */
export const createListener = (url: string, log: Log, roles: readonly string[] = []): Listener => {
  const channels = new Map<string, ((payload: string) => void)[]>();
  let client: pg.Client | undefined;
  let closed = false;
  let connecting: Promise<void> | undefined;

  const connectOnce = async () => {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: [listenerName, ...(roles.length > 0 ? [roles.join(',')] : [])].join(' '),
      keepAlive: true,
    });
    fresh.on('error', () => lost(fresh));
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', ({ channel, payload }) => {
      for (const heard of channels.get(channel) ?? []) heard(payload ?? '');
    });
    await fresh.connect();
    for (const channel of channels.keys()) await fresh.query(`listen ${channel}`);
    client = fresh;
  };

  const connect = async () => {
    for (let pause = 100; !closed; pause = Math.min(pause * 2, 2000)) {
      try {
        await connectOnce();
        return;
      } catch (error) {
        log.warn({ err: error }, 'the LISTEN connection failed; reconnecting');
        await sleep(pause);
      }
    }
  };

  const ensure = () => {
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  };

  const lost = (which: pg.Client) => {
    if (closed || which !== client) return;
    client = undefined;
    ensure()
      .then(() => {
        // Notifications sent during the gap are lost: every subscriber must check again.
        for (const heard of [...channels.values()].flat()) heard('');
      })
      .catch((error: Error) => log.error({ err: error }, 'the LISTEN connection ended'));
  };

  return {
    async on(channel, heard) {
      if (!channelName.test(channel)) throw new Error(`Not a channel name: ${channel}`);
      const known = channels.get(channel);
      if (known) {
        known.push(heard);
        return;
      }
      channels.set(channel, [heard]);
      if (!client) await ensure();
      await client?.query(`listen ${channel}`);
    },
    async close() {
      closed = true;
      await client?.end();
    },
  };
};
