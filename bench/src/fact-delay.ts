import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { quantile } from './report.ts';
import type { Run } from './run.ts';

/** A Disconnect must be sent within two seconds; half of that is for delivering the fact that causes it. */
const budgetMs = 1_000;
const sampleIntervalMs = 50;
const pollMs = 5;
/** After this time, query what is being waited for. */
const explainAfterMs = 200;

export interface Wait {
  milliseconds: number;
  /** Last statement of the transaction that was waited for. */
  blockedBy: string | undefined;
}

/**
 * Measures continuously until `stop` how long a fact would wait for its consumers: the outbox delivers facts that are older than
 * every running transaction with an id, so each attempt takes an id and waits until no earlier transaction is running.
 */
export const watchFactDelay = async (databaseUrl: string): Promise<{ stop(): Promise<Wait[]> }> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const waits: Wait[] = [];
  let isOver = false;
  const sample = async (): Promise<void> => {
    while (!isOver) {
      const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
      const begin = performance.now();
      let blockedBy: string | undefined;
      while (!(await isReadable(client, rows[0]?.id))) {
        if (performance.now() - begin > explainAfterMs)
          blockedBy = (await oldestTransaction(client)) ?? blockedBy;
        await sleep(pollMs);
      }
      waits.push({ milliseconds: performance.now() - begin, blockedBy });
      await sleep(sampleIntervalMs);
    }
  };
  const sampling = sample();
  // Awaited by `stop`; before that, a failure must not count as unhandled.
  sampling.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await sampling.finally(() => client.end());
      return waits;
    },
  };
};

const isReadable = async (client: pg.Client, id: string | undefined): Promise<boolean> =>
  (
    await client.query<{ readable: boolean }>(
      'select $1::xid8 < pg_snapshot_xmin(pg_current_snapshot()) as readable',
      [id],
    )
  ).rows[0]?.readable === true;

const oldestTransaction = async (client: pg.Client): Promise<string | undefined> =>
  (
    await client.query<{ doing: string }>(
      `select left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as doing from pg_stat_activity
       where backend_xid is not null and pid <> pg_backend_pid() order by age(backend_xid) desc limit 1`,
    )
  ).rows[0]?.doing;

export const addFactDelay = (run: Pick<Run, 'add' | 'note'>, what: string, waits: readonly Wait[]): void => {
  const [longest] = waits.toSorted((a, b) => b.milliseconds - a.milliseconds);
  const milliseconds = waits.map((wait) => wait.milliseconds);
  const measured = longest?.milliseconds ?? Number.NaN;
  run.add({
    what,
    measured,
    unit: 'ms',
    budget: `${budgetMs} ms`,
    met: measured <= budgetMs,
    details: { 'p50 ms': quantile(milliseconds, 0.5), 'p95 ms': quantile(milliseconds, 0.95) },
  });
  if (longest?.blockedBy) run.note(`${what}: the longest behind ${longest.blockedBy}`);
};
