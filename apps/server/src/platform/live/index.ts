import type { LiveEvent } from '@simcube/contract';
import type pg from 'pg';
import type { Listener } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { liveEventsOf } from '../outbox/index.ts';

/** A live event with the position from which a stream can resume; only the last event of a fact carries it. */
export interface StreamedEvent {
  id?: string;
  event: LiveEvent;
}

/** A reader of an organisation's stream. `send` returns false when the reader can't keep up. */
export interface Subscriber {
  orgId: number;
  userId: string;
  sessionId: string;
  send: (events: readonly StreamedEvent[]) => boolean;
  /** Called when the hub disconnects the reader. */
  closed: (reason: 'slow' | 'shutdown' | 'ended') => void;
}

/**
 * Distributes facts of the outbox to the live streams of this process. Every web process reads the outbox
 * independently, so that it does not matter to which of them a browser is connected.
 */
export interface LiveHub {
  /** Adds a reader; with `after`, it first gets the missed events, or `stream.reset` if there are too many. */
  subscribe(subscriber: Subscriber, after: string | undefined): Promise<() => void>;
  /** Ends every stream of a session. */
  endSession(sessionId: string): void;
  stop(): Promise<void>;
}

/** For a process without event streams: its changes reach the servers' streams through the outbox. */
export const noLiveStreams: Pick<LiveHub, 'subscribe' | 'endSession'> = {
  subscribe: async () => () => undefined,
  endSession: () => undefined,
};

interface Position {
  xact: string;
  id: number;
}

interface FactRow extends Position {
  topic: string;
  org_id: number | null;
  payload: unknown;
}

const batchSize = 500;
const pollMs = 1000;
const gatherMs = 50;

const visible = 'xact < pg_snapshot_xmin(pg_current_snapshot())';

const encode = ({ xact, id }: Position): string => `${xact}-${id}`;

const decode = (text: string): Position | undefined => {
  const match = /^(\d{1,20})-(\d{1,15})$/.exec(text);
  return match?.[1] && match[2] ? { xact: match[1], id: Number(match[2]) } : undefined;
};

const streamed = (row: FactRow): StreamedEvent[] => {
  const events = liveEventsOf(row.topic, row.payload);
  return events.map((event, index) => (index === events.length - 1 ? { id: encode(row), event } : { event }));
};

export const startLiveHub = async (options: {
  pool: pg.Pool;
  listener: Listener;
  log: Log;
  metrics: Metrics;
  /** Maximum number of facts sent to a reader that reconnects. */
  replay: number;
}): Promise<LiveHub> => {
  const { pool, listener, log, metrics, replay } = options;
  const subscribers = new Set<Subscriber>();
  let position = await latest(pool);
  let stopped = false;
  let readInProgress: Promise<void> | undefined;

  const drop = (subscriber: Subscriber, reason: 'slow' | 'shutdown' | 'ended') => {
    if (!subscribers.delete(subscriber)) return;
    metrics.liveClients.set(subscribers.size);
    if (reason === 'slow') metrics.liveDropped.inc();
    subscriber.closed(reason);
  };

  const deliver = (rows: readonly FactRow[]) => {
    const byOrg = new Map<number, StreamedEvent[]>();
    for (const row of rows) {
      if (row.org_id === null) continue;
      const events = streamed(row);
      const list = byOrg.get(row.org_id);
      if (list) list.push(...events);
      else byOrg.set(row.org_id, events);
    }
    for (const subscriber of [...subscribers]) {
      const events = byOrg.get(subscriber.orgId);
      if (events?.length && !subscriber.send(events)) drop(subscriber, 'slow');
    }
  };

  const readOnce = async () => {
    if (subscribers.size === 0) {
      position = await latest(pool);
      return;
    }
    const orgIds = [...new Set([...subscribers].map((subscriber) => subscriber.orgId))];
    for (;;) {
      const { rows } = await pool.query<FactRow>(
        `select xact::text, id, topic, org_id, case when org_id = any($3) then payload end as payload
         from outbox where (xact, id) > ($1::xid8, $2) and ${visible} order by outbox.xact, id limit ${batchSize}`,
        [position.xact, position.id, orgIds],
      );
      const last = rows.at(-1);
      if (!last) return;
      position = last;
      deliver(rows.filter((row) => row.payload !== null));
      if (rows.length < batchSize) return;
    }
  };

  const read = () => {
    readInProgress ??= readOnce()
      .catch((error: Error) => {
        if (!stopped) log.warn({ err: error }, 'live events could not be delivered');
      })
      .finally(() => {
        readInProgress = undefined;
      });
    return readInProgress;
  };

  let gatherTimer: NodeJS.Timeout | undefined;
  await listener.on('outbox', () => {
    if (subscribers.size === 0) return;
    // A short delay turns a burst into one read, and lets the notifying transactions become visible.
    gatherTimer ??= setTimeout(() => {
      gatherTimer = undefined;
      read().catch(() => undefined);
    }, gatherMs);
  });
  const pollTimer = setInterval(() => {
    read().catch(() => undefined);
  }, pollMs);

  return {
    async subscribe(subscriber, after) {
      const from = after === undefined ? undefined : decode(after);
      // Without readers the position is not updated; read before the first reader relies on it.
      await read();
      const missed =
        from && (await missedSince(pool, subscriber.orgId, { from, to: position, limit: replay }));
      subscribers.add(subscriber);
      metrics.liveClients.set(subscribers.size);
      if (after !== undefined && missed === undefined) {
        subscriber.send([{ id: encode(position), event: { name: 'stream.reset', data: {} } }]);
      } else if (missed?.length) subscriber.send(missed.flatMap(streamed));
      // A reader that loses the stream before any event also resumes from here.
      if (after === undefined) {
        subscriber.send([{ id: encode(position), event: { name: 'stream.open', data: {} } }]);
      }
      return () => {
        if (subscribers.delete(subscriber)) metrics.liveClients.set(subscribers.size);
      };
    },
    endSession(sessionId) {
      for (const subscriber of [...subscribers]) {
        if (subscriber.sessionId !== sessionId) continue;
        subscriber.send([{ event: { name: 'session.ended', data: {} } }]);
        drop(subscriber, 'ended');
      }
    },
    async stop() {
      stopped = true;
      clearInterval(pollTimer);
      clearTimeout(gatherTimer);
      await readInProgress;
      for (const subscriber of [...subscribers]) drop(subscriber, 'shutdown');
    },
  };
};

const latest = async (pool: pg.Pool): Promise<Position> =>
  (
    await pool.query<Position>(
      `select xact::text, id from outbox where ${visible} order by outbox.xact desc, id desc limit 1`,
    )
  ).rows[0] ?? { xact: '0', id: 0 };

/** Facts of the organisation in (from, to]; undefined if there are too many or they are no longer retained. */
const missedSince = async (
  pool: pg.Pool,
  orgId: number,
  { from, to, limit }: { from: Position; to: Position; limit: number },
): Promise<FactRow[] | undefined> => {
  const { rows: kept } = await pool.query<{ kept: boolean }>(
    `select exists (select 1 from outbox where (xact, id) <= ($1::xid8, $2)) as kept`,
    [from.xact, from.id],
  );
  if (!kept[0]?.kept) return undefined;
  const { rows } = await pool.query<FactRow>(
    `select xact::text, id, topic, org_id, payload from outbox
     where (xact, id) > ($1::xid8, $2) and (xact, id) <= ($3::xid8, $4) and org_id = $5
     order by outbox.xact, id limit $6`,
    [from.xact, from.id, to.xact, to.id, orgId, limit + 1],
  );
  return rows.length > limit ? undefined : rows;
};
