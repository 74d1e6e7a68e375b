import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '@simcube/contract';
import type pg from 'pg';
import { inTransaction, typed } from '../../../platform/db/index.ts';
import { isCountTrigger } from '../engine/counted.rules.ts';
import type { UsageRule } from '../engine/usage.rules.ts';
import { listScope } from '../scopes/scope.views.ts';
import { changesReplayer, isChangeTrigger } from './changes-replay.service.ts';
import { countsReplayer } from './counts-replay.service.ts';
import { createNewestCollector } from './newest.rules.ts';
import { avoidsOverage } from './overage.rules.ts';
import { noOverage } from './overage.service.ts';
import { windowOf } from './periods.rules.ts';
import {
  beginReplay,
  finishReplay,
  type ReplayProgress,
  type RunningReplay,
  recordProgress,
} from './replay.queries.ts';
import { addFirings, addOverage, createTally, type ReplayedRule, type Tally } from './replay.rules.ts';
import type { CrossedPiece, ReplayedFiring, Replayer, ReplayResult } from './replay-results.rules.ts';
import { resolveCrossings, type UsageReplayOptions, usageReplayer } from './usage-replay.service.ts';

const { historyDays, replayedFirings } = limits.autoflow;

export type RunOptions = UsageReplayOptions;

/** Runs a waiting replay until it is done, cancelled or replaced. */
export const runReplay = async (
  options: RunOptions,
  { id, signal }: { id: number; signal: AbortSignal },
): Promise<void> => {
  const { pool } = options;
  const replay = await beginReplay(pool, id);
  if (!replay) return;
  const startedAt = performance.now();
  const simIds = await scopesOf(options, replay);
  const progress: ReplayProgress = {
    sims: simIds.current.length + (simIds.former?.length ?? 0),
    simsDone: 0,
    records: 0,
    tally: await emptyTally(options, replay, replay.replayed),
    formerTally: replay.former && (await emptyTally(options, replay, replay.former)),
  };
  const newest = createNewestCollector<ReplayResult>({ days: historyDays, limit: replayedFirings });
  const reportProgress = async (sims: number): Promise<boolean> => {
    progress.simsDone += sims;
    await nextTurn();
    signal.throwIfAborted();
    return recordProgress(pool, id, progress);
  };
  const isComplete = await evaluateAll(replayerOf(options, replay, replay.replayed), simIds.current, {
    tally: progress.tally,
    collect: (results, records) => {
      for (const one of results) newest.add(one.dayIndex, one);
      progress.records += records;
    },
    reportProgress,
  });
  if (!isComplete) return;
  if (replay.former && simIds.former && progress.formerTally) {
    const former = replayerOf(options, replay, replay.former);
    const isFormerComplete = await evaluateAll(former, simIds.former, {
      tally: progress.formerTally,
      reportProgress,
    });
    if (!isFormerComplete) return;
  }
  const firings = await firingsOf(pool, replay, newest.list());
  const tookMs = Math.round(performance.now() - startedAt);
  await inTransaction(pool, (tx) => finishReplay(tx, { id, firings, tookMs }));
};

const emptyTally = async (
  { pool }: RunOptions,
  { orgId, span }: RunningReplay,
  { trigger }: ReplayedRule,
): Promise<Tally> => ({
  ...createTally(),
  overage: avoidsOverage(trigger) ? await noOverage(pool, { orgId, now: new Date(span.endsAt) }) : null,
});

const scopesOf = async ({ pool }: RunOptions, { orgId, replayed, former }: RunningReplay) => ({
  current: await listScope(typed(pool), { orgId, scope: replayed.scope, sims: replayed.sims }),
  former: former && (await listScope(typed(pool), { orgId, scope: former.scope, sims: former.sims })),
});

const replayerOf = (
  options: RunOptions,
  { orgId, span }: RunningReplay,
  { trigger, imeis }: ReplayedRule,
): Replayer => {
  if (isChangeTrigger(trigger)) {
    const window = windowOf({ trigger: { kind: 'first-use', unused_days: null } }, span, historyDays);
    return changesReplayer(options.pool, { orgId, trigger, window, imeis });
  }
  if (isCountTrigger(trigger)) {
    const window = windowOf({ trigger: { kind: 'first-use', unused_days: null } }, span, historyDays);
    return countsReplayer(options.pool, { orgId, trigger, window });
  }
  const onUsage = trigger as UsageRule['trigger'];
  return usageReplayer(options, {
    orgId,
    trigger: onUsage,
    window: windowOf({ trigger: onUsage }, span, historyDays),
  });
};

interface EvaluationCallbacks {
  tally: Tally;
  collect?: (results: readonly ReplayResult[], records: number) => void;
  /** Whether to continue after this many SIMs. */
  reportProgress: (sims: number) => Promise<boolean>;
}

/** @returns whether it was completed */
const evaluateAll = async (
  replayer: Replayer,
  ids: readonly number[],
  { tally, collect, reportProgress }: EvaluationCallbacks,
): Promise<boolean> => {
  const isComplete = await replayer.evaluate(ids, ({ sims, records, results, overage }) => {
    if (overage) addOverage(tally, overage);
    for (const ofSim of results.values())
      addFirings(
        tally,
        ofSim.map(({ dayIndex }) => dayIndex),
      );
    collect?.([...results.values()].flat(), records);
    return reportProgress(sims);
  });
  return isComplete && reportProgress(0);
};

/** The listed firings, latest first. */
const firingsOf = async (
  pool: pg.Pool,
  { orgId, replayed: { trigger } }: RunningReplay,
  results: readonly ReplayResult[],
): Promise<ReplayedFiring[]> => {
  const known = results.flatMap((one) => ('firing' in one ? [one.firing] : []));
  const crossed = results.flatMap((one): CrossedPiece[] => ('crossed' in one ? [one.crossed] : []));
  const resolved = await resolveCrossings(pool, { orgId, trigger: trigger as UsageRule['trigger'] }, crossed);
  return [...known, ...resolved].sort((a, b) => b.at - a.at || a.simId - b.simId);
};
