import type { SignInSession } from '@simcube/contract/identity';
import type { Sql } from '../../../platform/db/index.ts';
import type { SessionLengths } from './sessions.rules.ts';

/** Whose, and what still counts as open at that moment. */
interface Open extends SessionLengths {
  userId: string;
  currentId: string;
  now: Date;
}

/** The current one first, then the newest. */
export type SessionPosition = [rank: number, createdAt: string, id: string];

const isOpen = `user_id = $1 and ended_at is null and last_used_at > $2 and created_at > $3`;
const rank = '(case when id = $4 then 0 else 1 end)';

const openOf = ({ userId, currentId, now, idleMs, maxMs }: Open) => [
  userId,
  new Date(now.getTime() - idleMs),
  new Date(now.getTime() - maxMs),
  currentId,
];

interface Row {
  id: string;
  rank: number;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

export const listSessions = async (
  sql: Sql,
  {
    limit,
    offset,
    after,
    ...open
  }: Open & { limit: number; offset: number; after: SessionPosition | undefined },
): Promise<{ session: SignInSession; position: SessionPosition }[]> => {
  const { rows } = await sql.query<Row>(
    `select id, ${rank} as rank, host(address) as address, user_agent as "userAgent",
       created_at as "createdAt", last_used_at as "lastUsedAt"
     from user_sessions
     where ${isOpen} and ($5::integer is null or ${rank} > $5
       or (${rank} = $5 and (created_at, id) < ($6::timestamptz, $7::uuid)))
     order by ${rank}, created_at desc, id desc limit $8 offset $9`,
    [...openOf(open), ...(after ?? [null, null, null]), limit, offset],
  );
  return rows.map((row) => ({
    session: {
      id: row.id,
      current: row.rank === 0,
      address: row.address,
      user_agent: row.userAgent,
      created_at: row.createdAt.toISOString(),
      last_used_at: row.lastUsedAt.toISOString(),
    },
    position: [row.rank, row.createdAt.toISOString(), row.id],
  }));
};

export const countSessions = async (sql: Sql, open: Open): Promise<number> => {
  const [userId, usedSince, begunSince] = openOf(open);
  const { rows } = await sql.query<{ count: number }>(
    `select count(*) as count from user_sessions where ${isOpen}`,
    [userId, usedSince, begunSince],
  );
  return rows[0]?.count ?? 0;
};
