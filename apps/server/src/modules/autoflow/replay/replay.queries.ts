import type { Sql } from '../../../platform/db/index.ts';
import type { Span } from '../engine/period.rules.ts';
import { type ReplayedRule, replayedSchema, type Tally } from './replay.rules.ts';
import type { ReplayedFiring } from './replay-results.rules.ts';

export interface NewReplay {
  orgId: number;
  userId: string;
  ruleId: number | null;
  replayed: ReplayedRule;
  former: ReplayedRule | null;
  span: Span;
  tally: Tally;
  formerTally: Tally | null;
  at: Date;
}

/** Replaces the person's previous replay, which stops. @returns its id */
export const insertReplay = async (tx: Sql, replay: NewReplay): Promise<number> => {
  const { orgId, userId, ruleId, replayed, former, span, tally, formerTally, at } = replay;
  await tx.query('delete from autoflow_replays where org_id = $1 and user_id = $2', [orgId, userId]);
  const { rows } = await tx.query<{ id: number }>(
    `insert into autoflow_replays (org_id, user_id, rule_id, replayed, former, asked_at, starts_at, ends_at, tally, former_tally)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), to_timestamp($8::float8 / 1000), $9, $10)
     returning id`,
    [orgId, userId, ruleId, replayed, former, at, span.startsAt, span.endsAt, tally, formerTally],
  );
  const [inserted] = rows;
  if (!inserted) throw new Error('The replay was not stored');
  return inserted.id;
};

/** @returns whether it belongs to the organisation; a replay that has ended is unchanged */
export const cancelReplay = async (tx: Sql, { id, orgId }: { id: number; orgId: number }): Promise<boolean> =>
  (
    await tx.query(
      `update autoflow_replays set state = case when state < 2 then 3 else state end
       where id = $1 and org_id = $2`,
      [id, orgId],
    )
  ).rowCount === 1;

/** A running replay. */
export interface RunningReplay {
  id: number;
  orgId: number;
  replayed: ReplayedRule;
  former: ReplayedRule | null;
  span: Span;
}

/** Starts a replay, or restarts it after its process ended; undefined if it has ended or was deleted. */
export const beginReplay = async (sql: Sql, id: number): Promise<RunningReplay | undefined> => {
  const { rows } = await sql.query(
    `update autoflow_replays set state = 1 where id = $1 and state < 2
     returning org_id as "orgId", replayed, former, starts_at, ends_at`,
    [id],
  );
  const [row] = rows;
  return (
    row && {
      id,
      orgId: row.orgId,
      replayed: replayedSchema.parse(row.replayed),
      former: row.former && replayedSchema.parse(row.former),
      span: { startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() },
    }
  );
};

export interface ReplayProgress {
  sims: number;
  simsDone: number;
  records: number;
  tally: Tally;
  formerTally: Tally | null;
}

/** @returns whether to continue: it may have been cancelled or replaced */
export const recordProgress = async (
  sql: Sql,
  id: number,
  { sims, simsDone, records, tally, formerTally }: ReplayProgress,
): Promise<boolean> =>
  (
    await sql.query(
      `update autoflow_replays set sims = $2, sims_done = $3, records = $4, tally = $5, former_tally = $6
       where id = $1 and state = 1`,
      [id, sims, simsDone, records, tally, formerTally],
    )
  ).rowCount === 1;

/** Completes a replay with the listed firings, latest first. */
export const finishReplay = async (
  tx: Sql,
  { id, firings, tookMs }: { id: number; firings: readonly ReplayedFiring[]; tookMs: number },
): Promise<void> => {
  const ended = await tx.query(
    'update autoflow_replays set state = 2, took_ms = $2 where id = $1 and state = 1',
    [id, tookMs],
  );
  if (ended.rowCount === 0) return;
  await tx.query(
    `insert into autoflow_replay_firings (replay_id, number, sim_id, happened_at, measured)
     select $1, place, "simId", to_timestamp(at / 1000), measured
     from rows from (jsonb_to_recordset($2) as ("simId" bigint, at float8, measured jsonb)) with ordinality
       as v ("simId", at, measured, place)`,
    [id, JSON.stringify(firings)],
  );
};

export const failReplay = async (tx: Sql, id: number): Promise<void> => {
  await tx.query('update autoflow_replays set state = 4 where id = $1 and state < 2', [id]);
};

/** Deletes replays that are no longer viewed. */
export const removeOldReplays = async (sql: Sql, before: Date): Promise<void> => {
  await sql.query('delete from autoflow_replays where asked_at < $1', [before]);
};
