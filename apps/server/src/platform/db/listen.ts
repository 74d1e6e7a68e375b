import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/index.ts';

/** Receives NOTIFY on its own connection, which it keeps alive; after a gap every listener is called once. */
export interface Listener {
  on(channel: string, onNotify: (payload: string) => void): Promise<void>;
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
    const candidate = new pg.Client({
      connectionString: url,
      application_name: [listenerName, ...(roles.length > 0 ? [roles.join(',')] : [])].join(' '),
      keepAlive: true,
    });
    candidate.on('error', () => onLost(candidate));
    candidate.on('end', () => onLost(candidate));
    candidate.on('notification', ({ channel, payload }) => {
      for (const onNotify of channels.get(channel) ?? []) onNotify(payload ?? '');
    });
    try {
      await candidate.connect();
      for (const channel of channels.keys()) await candidate.query(`listen ${channel}`);
    } catch (error) {
      candidate.end().catch(() => undefined);
      throw error;
    }
    if (closed) await candidate.end();
    else client = candidate;
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

  const ensureConnected = () => {
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  };

  const onLost = (lostClient: pg.Client) => {
    if (closed || lostClient !== client) return;
    client = undefined;
    ensureConnected()
      .then(() => {
        // Notifications sent during the gap are lost: every subscriber must check again.
        for (const onNotify of [...channels.values()].flat()) onNotify('');
      })
      .catch((error: Error) => log.error({ err: error }, 'the LISTEN connection ended'));
  };

  return {
    async on(channel, onNotify) {
      if (!channelName.test(channel)) throw new Error(`Not a channel name: ${channel}`);
      channels.set(channel, [...(channels.get(channel) ?? []), onNotify]);
      if (!client) await ensureConnected();
      // Also for the second listener of a channel: the first one's statement may not have been sent yet.
      await client?.query(`listen ${channel}`);
    },
    async close() {
      closed = true;
      await client?.end();
    },
  };
};
