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

interface Reader {
  subscriber: Subscriber;
  /** While what the reader missed is read: the events that follow. */
  queued: StreamedEvent[] | undefined;
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
  const readers = new Set<Reader>();
  let position = await latest(pool);
  let stopped = false;
  let readInProgress: Promise<void> | undefined;

  const remove = (reader: Reader): boolean => {
    if (!readers.delete(reader)) return false;
    metrics.liveClients.set(readers.size);
    return true;
  };

  const drop = (reader: Reader, reason: 'slow' | 'shutdown' | 'ended') => {
    if (!remove(reader)) return;
    if (reason === 'slow') metrics.liveDropped.inc();
    reader.subscriber.closed(reason);
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
    for (const reader of [...readers]) {
      const { subscriber, queued } = reader;
      const events = byOrg.get(subscriber.orgId);
      if (!events?.length) continue;
      if (!queued) {
        if (!subscriber.send(events)) drop(reader, 'slow');
      } else if (queued.length <= replay) queued.push(...events);
    }
  };

  const readOnce = async () => {
    if (readers.size === 0) {
      position = await latest(pool);
      return;
    }
    const orgIds = [...new Set([...readers].map(({ subscriber }) => subscriber.orgId))];
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
    if (readers.size === 0) return;
    // A short delay turns a burst into one read, and lets the notifying transactions become visible.
    gatherTimer ??= setTimeout(() => {
      gatherTimer = undefined;
      read().catch(() => undefined);
    }, gatherMs);
  });
  const pollTimer = setInterval(() => {
    read().catch(() => undefined);
  }, pollMs);

  /** Sends what the reader missed after `after`, without it the position of the stream, and then what follows. */
  const start = async (reader: Reader, after: string | undefined): Promise<void> => {
    // Without readers the position is not updated. A read in progress may have begun without this reader's organisation; later
    // ones include it.
    await read();
    const to = position;
    const following: StreamedEvent[] = [];
    reader.queued = following;
    const from = after === undefined ? undefined : decode(after);
    const missed = from && (await missedSince(pool, reader.subscriber.orgId, { from, to, limit: replay }));
    if (!readers.has(reader)) return;
    reader.queued = undefined;
    // A reader that loses the stream before any event also resumes from here.
    const id = encode(position);
    let events: StreamedEvent[];
    if (after === undefined) events = [{ id, event: { name: 'stream.open', data: {} } }];
    else if (missed === undefined || following.length > replay)
      events = [{ id, event: { name: 'stream.reset', data: {} } }];
    else events = [...missed.flatMap(streamed), ...following];
    if (events.length > 0 && !reader.subscriber.send(events)) drop(reader, 'slow');
  };

  return {
    async subscribe(subscriber, after) {
      const reader: Reader = { subscriber, queued: [] };
      readers.add(reader);
      metrics.liveClients.set(readers.size);
      try {
        await start(reader, after);
      } catch (error) {
        remove(reader);
        throw error;
      }
      return () => {
        remove(reader);
      };
    },
    endSession(sessionId) {
      for (const reader of [...readers]) {
        if (reader.subscriber.sessionId !== sessionId) continue;
        reader.subscriber.send([{ event: { name: 'session.ended', data: {} } }]);
        drop(reader, 'ended');
      }
    },
    async stop() {
      stopped = true;
      clearInterval(pollTimer);
      clearTimeout(gatherTimer);
      await readInProgress;
      for (const reader of [...readers]) drop(reader, 'shutdown');
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
