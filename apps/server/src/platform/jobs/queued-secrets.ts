import type { SealedStore, SealedValue } from '../secrets/index.ts';

/*
 * Jobs with a sealed payload (under `sealed`, in base64), because it contains codes and links that open
 * accounts. They expire within a day, so one that can no longer be opened is worthless.
 */

type Row = Omit<SealedValue, 'sealed'> & { sealed: string };

const valuesOf = (rows: readonly Row[]): SealedValue[] =>
  rows.map((row) => ({ ...row, sealed: Buffer.from(row.sealed, 'base64') }));

/** Jobs waiting in the queue. */
export const queuedSecrets: SealedStore = {
  name: 'queued jobs',
  async list(sql, { after, limit, locked }) {
    const { rows } = await sql.query<Row>(
      `select j.id::text as id, t.identifier as label, j.payload->>'sealed' as sealed
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.payload->>'sealed' is not null and j.id > $1
       order by j.id limit $2 ${locked ? 'for update of j' : ''}`,
      [after ?? '0', limit],
    );
    return valuesOf(rows);
  },
  async replace(tx, values) {
    if (values.length === 0) return;
    await tx.query(
      `update graphile_worker._private_jobs j
       set payload = jsonb_set(j.payload::jsonb, '{sealed}', to_jsonb(v.sealed))::json
       from unnest($1::bigint[], $2::text[]) as v (id, sealed) where j.id = v.id`,
      [values.map(({ id }) => id), values.map(({ sealed }) => sealed.toString('base64'))],
    );
  },
  async drop(tx, ids) {
    if (ids.length === 0) return;
    await tx.query('delete from graphile_worker._private_jobs where id = any($1::bigint[])', [ids]);
  },
};

/** Dead-lettered jobs, which may be queued again. */
export const deadLetterSecrets: SealedStore = {
  name: 'dead-lettered jobs',
  async list(sql, { after, limit, locked }) {
    const { rows } = await sql.query<Row>(
      `select id::text as id, name as label, payload->>'sealed' as sealed from dead_lettered_jobs
       where payload->>'sealed' is not null and id > $1 order by dead_lettered_jobs.id limit $2 ${locked ? 'for update' : ''}`,
      [after ?? '0', limit],
    );
    return valuesOf(rows);
  },
  async replace(tx, values) {
    if (values.length === 0) return;
    await tx.query(
      `update dead_lettered_jobs j set payload = jsonb_set(j.payload, '{sealed}', to_jsonb(v.sealed))
       from unnest($1::bigint[], $2::text[]) as v (id, sealed) where j.id = v.id`,
      [values.map(({ id }) => id), values.map(({ sealed }) => sealed.toString('base64'))],
    );
  },
  async drop(tx, ids) {
    if (ids.length === 0) return;
    await tx.query('delete from dead_lettered_jobs where id = any($1::bigint[])', [ids]);
  },
};
