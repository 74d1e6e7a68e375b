import type { Task, TaskStatus } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';
import { referenceOf } from './task.rules.ts';

/** Where a page of the list ended: the start of its last task, and its id. */
export type TaskPosition = [startedAt: string, id: number];

interface Mine {
  userId: string;
  orgId: number;
  /** Older tasks are not listed. */
  since: Date;
  status: TaskStatus | undefined;
}

interface MineQuery extends Mine {
  now: Date;
  limit: number;
  offset: number;
  after: TaskPosition | undefined;
}

const mine = `from tasks where user_id = $1 and org_id = $2 and started_at >= $3 and ($4::text is null or status = $4)`;

export const listMine = async (
  sql: Sql,
  query: MineQuery,
): Promise<{ task: Task; position: TaskPosition }[]> => {
  const { userId, orgId, since, status, now, limit, offset, after } = query;
  const { rows } = await sql.query(
    `select id, type, quantity, done, remark, status, started_at, ended_at, result, report_name,
       report_bytes ${mine}
       and ($5::timestamptz is null or (started_at, id) < ($5, $6))
     order by started_at desc, id desc limit $7 offset $8`,
    [userId, orgId, since, status ?? null, after?.[0] ?? null, after?.[1] ?? null, limit, offset],
  );
  return rows.map((row) => ({
    task: {
      reference_id: referenceOf(row.id),
      type: row.type,
      quantity: row.quantity,
      done: row.done,
      remark: row.remark,
      status: row.status,
      started_at: row.started_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
      elapsed_seconds: secondsBetween(row.started_at, row.ended_at ?? now),
      result: row.result,
      report:
        row.report_name && row.ended_at ? { file_name: row.report_name, bytes: row.report_bytes } : null,
    },
    position: [row.started_at.toISOString(), row.id],
  }));
};

/** Never negative, whatever the clocks of two processes say. */
const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));

export const countMine = async (sql: Sql, { userId, orgId, since, status }: Mine): Promise<number> =>
  (
    await sql.query<{ count: number }>(`select count(*)::int as count ${mine}`, [
      userId,
      orgId,
      since,
      status ?? null,
    ])
  ).rows[0]?.count ?? 0;

/** Whose task a command begins, and where: the person's default organisation. */
export const findDefaultMembership = async (
  sql: Sql,
  email: string,
): Promise<{ userId: string; orgId: number } | undefined> =>
  (
    await sql.query<{ userId: string; orgId: number }>(
      `select u.id as "userId", m.org_id as "orgId" from users u join memberships m on m.user_id = u.id
       where lower(u.email) = lower($1) and m.is_default`,
      [email],
    )
  ).rows[0];
