import type { Database } from '../platform/db/index.ts';
import type { JobHandler } from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';

/**
 * Runs the handlers' queued and committed jobs, the oldest first.
 * @returns how many
 */
export const runJobs = async (
  { pool }: Pick<Database, 'pool'>,
  handlers: readonly JobHandler[],
): Promise<number> => {
  const { rows } = await pool.query<{ id: string; name: string; payload: unknown }>(
    `select j.id::text, t.identifier as name, j.payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = any($1) order by j.id`,
    [handlers.map(({ job }) => job.name)],
  );
  const log = createLog({ level: 'silent', format: 'json' });
  for (const { id, name, payload } of rows) {
    const handler = handlers.find(({ job }) => job.name === name);
    await handler?.handle(payload, { signal: new AbortController().signal, log, attempt: 1 });
    await pool.query('select graphile_worker.complete_jobs(array[$1::bigint])', [id]);
  }
  return rows.length;
};

/** Ages the claims of killed workers, so that the next worker's first check finds them. */
export const ageClaims = async ({ pool }: Pick<Database, 'pool'>): Promise<void> => {
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null`,
  );
};
