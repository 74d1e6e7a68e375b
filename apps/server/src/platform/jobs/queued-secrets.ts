import type { SealedStore, SealedValue } from '../secrets/index.ts';

interface SealedPayloads {
  name: string;
  table: string;
  /** The type of the table's `payload`. */
  type: 'json' | 'jsonb';
  /** An SQL expression for the job's name; the table is called `j` in it and in `join`. */
  label: string;
  join?: string;
}

/**
 * Jobs with a sealed payload (under `sealed`, in base64), because it contains codes and links that open
 * accounts. They expire within a day, so one that can no longer be opened is worthless.
 */
const sealedPayloads = ({ name, table, type, label, join = '' }: SealedPayloads): SealedStore => ({
  name,
  async list(sql, { after, limit, locked }) {
    const { rows } = await sql.query<Omit<SealedValue, 'sealed'> & { sealed: string }>(
      `select j.id::text as id, ${label} as label, j.payload->>'sealed' as sealed from ${table} j ${join}
       where j.payload->>'sealed' is not null and j.id > $1
       order by j.id limit $2 ${locked ? 'for update of j' : ''}`,
      [after ?? '0', limit],
    );
    return rows.map((row) => ({ ...row, sealed: Buffer.from(row.sealed, 'base64') }));
  },
  async replace(tx, values) {
    if (values.length === 0) return;
    await tx.query(
      `update ${table} j
       set payload = jsonb_set(j.payload::jsonb, '{sealed}', to_jsonb(v.sealed))::${type}
       from unnest($1::bigint[], $2::text[]) as v (id, sealed) where j.id = v.id`,
      [values.map(({ id }) => id), values.map(({ sealed }) => sealed.toString('base64'))],
    );
  },
  async drop(tx, ids) {
    if (ids.length > 0) await tx.query(`delete from ${table} where id = any($1::bigint[])`, [ids]);
  },
});

/** Jobs waiting in the queue. */
export const queuedSecrets = sealedPayloads({
  name: 'queued jobs',
  table: 'graphile_worker._private_jobs',
  type: 'json',
  label: 't.identifier',
  join: 'join graphile_worker._private_tasks t on t.id = j.task_id',
});

/** Dead-lettered jobs, which may be queued again. */
export const deadLetterSecrets = sealedPayloads({
  name: 'dead-lettered jobs',
  table: 'dead_lettered_jobs',
  type: 'jsonb',
  label: 'j.name',
});
