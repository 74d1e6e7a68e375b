import { type Replay, type ReplayFiring, replayStates } from '@simcube/contract/autoflow';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { replayedSchema, tallySchema, toOverage, toReplayDays } from './replay.rules.ts';

/** A replay of the organisation; undefined if it was replaced. */
export const findReplay = async (
  from: Sql,
  { id, orgId }: { id: number; orgId: number },
): Promise<Replay | undefined> => {
  const { rows } = await from.query(
    `select rule_id::text as rule_id, replayed, former, state, asked_at, starts_at, ends_at, sims, sims_done, records, took_ms,
       tally, former_tally,
       (select count(*)::int from autoflow_replay_firings f join sims s on s.id = f.sim_id and s.org_id = $2
        where f.replay_id = r.id) as listed
     from autoflow_replays r where id = $1 and org_id = $2`,
    [id, orgId],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { trigger } = replayedSchema.parse(row.replayed);
  const tally = tallySchema.parse(row.tally);
  const former = row.former && {
    ...replayedSchema.parse(row.former),
    ...tallySchema.parse(row.former_tally),
  };
  const span = { startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() };
  return {
    id: String(id),
    rule_id: row.rule_id,
    trigger: trigger.kind,
    state: replayStates[row.state as 0] ?? 'failed',
    asked_at: row.asked_at.toISOString(),
    from: row.starts_at.toISOString(),
    to: row.ends_at.toISOString(),
    progress: { done: row.sims_done, sims: row.sims },
    records: row.records,
    took_ms: row.took_ms,
    firings: tally.firings,
    sims: tally.sims,
    overage: toOverage(tally),
    listed: row.listed,
    days: toReplayDays(span, tally, former),
    former: former && {
      version: former.version ?? 0,
      firings: former.firings,
      sims: former.sims,
      overage: toOverage(former),
    },
  };
};

interface FiringRow {
  number: number;
  iccid: string;
  happened_at: Date;
  measured: ReplayFiring['measured'];
}

/** What a replay would have fired for, latest first; SIMs that have changed hands since are omitted. */
export const replayFiringList: List<
  { replayId: number; orgId: number },
  Record<never, never>,
  FiringRow,
  ReplayFiring
> = {
  name: 'autoflow.replay-firings',
  tables: [
    {
      name: 'firings',
      from: () => sql`autoflow_replay_firings as firings`,
      inScope: ({ scope }) => sql`replay_id = ${scope.replayId}
        and exists (select from sims s where s.id = sim_id and s.org_id = ${scope.orgId})`,
    },
  ],
  key: { column: 'number', type: 'integer' },
  order: [],
  filters: {},
  countLimit: 'all',
  select: sql`number, happened_at, measured, (select s.iccid from sims s where s.id = sim_id) as iccid`,
  show: (rows) =>
    rows.map(({ iccid, happened_at, measured }) => ({ iccid, at: happened_at.toISOString(), measured })),
};
