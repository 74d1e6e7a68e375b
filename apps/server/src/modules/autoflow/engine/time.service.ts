import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { enqueueMany } from '../../../platform/jobs/index.ts';
import { findUnused } from '../../usage/index.ts';
import { listArmedRules } from './armed-rules.views.ts';
import { evaluateTimesJob } from './time.job.ts';
import { recordTimeEvaluation } from './time.queries.ts';
import {
  dueSpan,
  hasTimeTrigger,
  keyOf,
  leadMs,
  measuredOf,
  runningSince,
  type TimeKind,
  type TimeRule,
  timeKinds,
} from './time.rules.ts';
import {
  type DueKind,
  type DueSim,
  findTimeEvaluation,
  listDueSims,
  listOrgsOn,
  longestInterim,
} from './time.views.ts';
import { evaluateEvents } from './trigger-events.service.ts';

/** SIMs per transaction. */
const batchSize = 1000;
/**
 * Consecutive runs overlap by this time, for rules that were being switched on during the first run and for clock
 * differences.
 */
const overlapMs = 60_000;
/** Sweeps find sessions without updates within this time. */
const sweepMs = 5 * 60_000;

/** Queues a run for each organisation with such rules, unless one is still waiting. */
export const queueTimeEvaluations = async (pool: pg.Pool): Promise<void> => {
  const orgs = await listOrgsOn(pool, timeKinds);
  await enqueueMany(
    pool,
    evaluateTimesJob,
    orgs.map((orgId) => ({ orgId })),
    { keyOf: ({ orgId }) => `${evaluateTimesJob.name} ${orgId}` },
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
export const evaluateTimes = async (
  { pool, clock, signal }: { pool: pg.Pool; clock: Clock; signal?: AbortSignal },
  { orgId }: { orgId: number },
): Promise<void> => {
  const run = { pool, orgId, now: clock.now(), signal };
  const rules = (await listArmedRules(pool, orgId)).filter(hasTimeTrigger);
  for (const kind of timeKinds) {
    const ofKind = rules.filter(({ trigger }) => trigger.kind === kind);
    if (ofKind.length > 0) await evaluateKind(run, kind, ofKind);
  }
};

const evaluateKind = async (run: Run, kind: TimeKind, rules: readonly TimeRule[]): Promise<void> => {
  const { pool, orgId, signal } = run;
  const now = run.now.getTime();
  const evaluation = await findTimeEvaluation(pool, { orgId, kind });
  const running = runningSince(evaluation, { since: Math.min(...rules.map(({ since }) => since)), now });
  // A session that ended without a Stop is noticed two intervals later; after downtime, SIMs need the same time to be
  // seen again.
  const graceMs = kind === 'silent' ? 2 * (await longestInterim(pool)) + sweepMs : 0;
  const isPastGrace = now >= running + graceMs;
  if (isPastGrace) {
    for (const rule of rules) {
      const due = dueSpan(rule, { from: (evaluation?.judgedUntil ?? 0) - Math.max(graceMs, overlapMs), now });
      if (!due) continue;
      await evaluateRule(run, rule, { ...due, kind });
      if (kind === 'silent') await evaluateRule(run, rule, { ...due, kind: 'resumed' });
    }
  }
  if (signal?.aborted) return;
  const judgedUntil = isPastGrace ? now : (evaluation?.judgedUntil ?? 0);
  await recordTimeEvaluation(pool, { orgId, kind, judgedUntil, ranAt: now, runningSince: running });
};

const evaluateRule = async (
  { pool, orgId, now, signal }: Run,
  rule: TimeRule,
  { kind, ...due }: { from: number; to: number; kind: DueKind },
): Promise<void> => {
  const lead = leadMs(rule);
  const span = { from: due.from - lead, to: due.to - lead };
  const page = { orgId, kind, span, limit: batchSize };
  let after: DueSim | undefined;
  do {
    const from = after;
    const found = await inTransaction(pool, async (tx) => {
      const sims = await listDueSims(tx, { ...page, after: from });
      const events = (kind === 'first-use' ? await filterUnused(tx, sims, now) : sims).map(
        ({ simId, instant, named }) => ({
          simId,
          at: instant + lead,
          key: keyOf(rule, named),
          measure: () => measuredOf(rule, { instant: named, now: now.getTime() }),
        }),
      );
      if (events.length > 0) await evaluateEvents(tx, { orgId, rules: [rule], events, now });
      return sims;
    });
    after = found.length === batchSize ? found.at(-1) : undefined;
  } while (after && !signal?.aborted);
};

/** Records from files have no session. */
export const filterUnused = async <S extends Pick<DueSim, 'simId' | 'ownedSince'>>(
  tx: Sql,
  sims: readonly S[],
  now: Date,
): Promise<S[]> => {
  const unused = await findUnused(
    tx,
    sims.map(({ simId, ownedSince }) => ({ simId, from: ownedSince, to: now.getTime() })),
  );
  return sims.filter((_, index) => unused.has(index));
};
