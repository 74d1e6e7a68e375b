import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { enqueueMany } from '../../../platform/jobs/index.ts';
import { findUnused } from '../../usage/index.ts';
import { listArmedRules } from './armed-rules.views.ts';
import { judgeHappenings } from './happenings.service.ts';
import { judgeTimesJob } from './time.job.ts';
import { noteJudged } from './time.queries.ts';
import {
  dueSpan,
  isOnTime,
  keyOf,
  leadOf,
  measuredOf,
  runningSince,
  type TimeKind,
  type TimeRule,
  timeKinds,
} from './time.rules.ts';
import {
  type DueKind,
  type DueSim,
  findJudged,
  listDueSims,
  listOrgsOn,
  longestInterim,
} from './time.views.ts';

/** SIMs per transaction. */
const simsAtOnce = 1000;
/**
 * Consecutive runs overlap by this time, for rules that were being switched on during the first run and for clock
 * differences.
 */
const overlapMs = 60_000;
/** Sweeps find sessions without updates within this time. */
const sweepMs = 5 * 60_000;

/** Queues a run for each organisation with such rules, unless one is still waiting. */
export const queueTimes = async (pool: pg.Pool): Promise<void> => {
  const orgs = await listOrgsOn(pool, timeKinds);
  await enqueueMany(
    pool,
    judgeTimesJob,
    orgs.map((orgId) => ({ orgId })),
    { keyOf: ({ orgId }) => `${judgeTimesJob.name} ${orgId}` },
  );
};

interface Run {
  pool: pg.Pool;
  orgId: number;
  now: Date;
  signal: AbortSignal | undefined;
}

/**
 * Fires an organisation's rules on time for what has become due since the last run, however long ago that was.
 * Repeating or resuming a run finds its earlier firings.
 */
export const judgeTimes = async (
  { pool, clock, signal }: { pool: pg.Pool; clock: Clock; signal?: AbortSignal },
  { orgId }: { orgId: number },
): Promise<void> => {
  const run = { pool, orgId, now: clock.now(), signal };
  const rules = (await listArmedRules(pool, orgId)).filter(isOnTime);
  for (const kind of timeKinds) {
    const ofKind = rules.filter(({ trigger }) => trigger.kind === kind);
    if (ofKind.length > 0) await judgeKind(run, kind, ofKind);
  }
};

const judgeKind = async (run: Run, kind: TimeKind, rules: readonly TimeRule[]): Promise<void> => {
  const { pool, orgId, signal } = run;
  const now = run.now.getTime();
  const judged = await findJudged(pool, { orgId, kind });
  const running = runningSince(judged, { since: Math.min(...rules.map(({ since }) => since)), now });
  // A session that ended without a Stop is noticed two intervals later; after downtime, SIMs need the same time to be
  // seen again.
  const heardMs = kind === 'silent' ? 2 * (await longestInterim(pool)) + sweepMs : 0;
  const isListening = now >= running + heardMs;
  if (isListening) {
    for (const rule of rules) {
      const due = dueSpan(rule, { from: (judged?.judgedUntil ?? 0) - Math.max(heardMs, overlapMs), now });
      if (!due) continue;
      await judgeRule(run, rule, { ...due, kind });
      if (kind === 'silent') await judgeRule(run, rule, { ...due, kind: 'resumed' });
    }
  }
  if (signal?.aborted) return;
  const judgedUntil = isListening ? now : (judged?.judgedUntil ?? 0);
  await noteJudged(pool, { orgId, kind, judgedUntil, ranAt: now, runningSince: running });
};

const judgeRule = async (
  { pool, orgId, now, signal }: Run,
  rule: TimeRule,
  { kind, ...due }: { from: number; to: number; kind: DueKind },
): Promise<void> => {
  const lead = leadOf(rule);
  const span = { from: due.from - lead, to: due.to - lead };
  const page = { orgId, kind, span, limit: simsAtOnce };
  let after: DueSim | undefined;
  do {
    const from = after;
    const found = await inTransaction(pool, async (tx) => {
      const sims = await listDueSims(tx, { ...page, after: from });
      const happenings = (kind === 'first-use' ? await unusedOf(tx, sims, now) : sims).map(
        ({ simId, instant, named }) => ({
          simId,
          at: instant + lead,
          key: keyOf(rule, named),
          measure: () => measuredOf(rule, { instant: named, now: now.getTime() }),
        }),
      );
      if (happenings.length > 0) await judgeHappenings(tx, { orgId, rules: [rule], happenings, now });
      return sims;
    });
    after = found.length === simsAtOnce ? found.at(-1) : undefined;
  } while (after && !signal?.aborted);
};

/** Records from files have no session. */
export const unusedOf = async <S extends Pick<DueSim, 'simId' | 'ownedSince'>>(
  tx: Sql,
  sims: readonly S[],
  now: Date,
): Promise<S[]> => {
  const unused = await findUnused(
    tx,
    sims.map(({ simId, ownedSince }) => ({ simId, from: ownedSince, to: now.getTime() })),
  );
  return sims.filter((_, place) => unused.has(place));
};
