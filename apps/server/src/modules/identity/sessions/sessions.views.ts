import type { SignInSession } from '@simcube/contract/identity';
import { sql } from 'kysely';
import type { List } from '../../../platform/lists/index.ts';
import type { SessionDurations } from './sessions.rules.ts';

/** Whose sessions, and which of them count as open. */
interface Open extends SessionDurations {
  userId: string;
  currentId: string;
  /** The address of the call, which may have changed since the sign-in. */
  address: string | null;
}

interface Row {
  id: string;
  address: string | null;
  user_agent: string | null;
  created_at: Date;
  last_used_at: Date;
}

/** A person's open sessions: the current one first, then the newest. */
export const sessionList: List<Open, object, Row, SignInSession> = {
  name: 'identity.sessions',
  tables: [
    {
      name: 'sessions',
      from: ({ scope }) =>
        sql`(select *, (case when id = ${scope.currentId} then 0 else 1 end) as rank from user_sessions) as s`,
      inScope: ({ scope: { userId, idleMs, maxMs }, now }) => sql`user_id = ${userId} and ended_at is null
        and last_used_at > ${new Date(now.getTime() - idleMs)} and created_at > ${new Date(now.getTime() - maxMs)}`,
    },
  ],
  key: { column: 'id', type: 'uuid' },
  order: [
    { column: 'rank', type: 'integer' },
    { column: 'created_at', type: 'instant', descending: true },
  ],
  filters: {},
  countLimit: 'all',
  select: sql`id, host(address) as address, user_agent, created_at, last_used_at`,
  show: (rows, { scope }) =>
    rows.map(({ id, address, user_agent, created_at, last_used_at }) => ({
      id,
      current: id === scope.currentId,
      address: id === scope.currentId ? (scope.address ?? address) : address,
      user_agent,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
};
