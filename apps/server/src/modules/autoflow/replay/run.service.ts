import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '@simcube/contract';
import type pg from 'pg';
import { inTransaction, typed } from '../../../platform/db/index.ts';
import { isCounted } from '../engine/counted.rules.ts';
import type { UsageRule } from '../engine/usage.rules.ts';
import { listScope } from '../scopes/scope.views.ts';
import { changesReplayer, isOnChanges } from './changes-replay.service.ts';
import { countsReplayer } from './counts-replay.service.ts';
import type { CrossedPiece, Found, ReplayedFiring, Replayer } from './found.rules.ts';
import { createNewest } from './newest.rules.ts';
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
import { addOverage, addTo, noTally, type Replayed, type Tally } from './replay.rules.ts';
import { resolveFound, type UsageReplayOptions, usageReplayer } from './usage-replay.service.ts';

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
  const now = await scopesOf(options, replay);
  const progress: ReplayProgress = {
    sims: now.judged.length + (now.former?.length ?? 0),
    simsDone: 0,
    records: 0,
    tally: await emptyTally(options, replay, replay.replayed),
    formerTally: replay.former && (await emptyTally(options, replay, replay.former)),
  };
  const newest = createNewest<Found>({ places: historyDays, most: replayedFirings });
  const onward = async (sims: number): Promise<boolean> => {
    progress.simsDone += sims;
    await nextTurn();
    signal.throwIfAborted();
    return recordProgress(pool, id, progress);
  };
  const judged = await judgeAll(replayerOf(options, replay, replay.replayed), now.judged, {
    tally: progress.tally,
    note: (found, records) => {
      for (const one of found) newest.add(one.place, one);
      progress.records += records;
    },
    onward,
  });
  if (!judged) return;
  if (replay.former && now.former && progress.formerTally) {
    const former = replayerOf(options, replay, replay.former);
    const ended = await judgeAll(former, now.former, { tally: progress.formerTally, onward });
    if (!ended) return;
  }
  const firings = await firingsOf(pool, replay, newest.list());
  const tookMs = Math.round(performance.now() - startedAt);
  await inTransaction(pool, (tx) => finishReplay(tx, { id, firings, tookMs }));
};

const emptyTally = async (
  { pool }: RunOptions,
  { orgId, span }: RunningReplay,
  { trigger }: Replayed,
): Promise<Tally> => ({
  ...noTally(),
  overage: avoidsOverage(trigger) ? await noOverage(pool, { orgId, now: new Date(span.endsAt) }) : null,
});

const scopesOf = async ({ pool }: RunOptions, { orgId, replayed, former }: RunningReplay) => ({
  judged: await listScope(typed(pool), { orgId, scope: replayed.scope, sims: replayed.sims }),
  former: former && (await listScope(typed(pool), { orgId, scope: former.scope, sims: former.sims })),
});

const replayerOf = (
  options: RunOptions,
  { orgId, span }: RunningReplay,
  { trigger, imeis }: Replayed,
): Replayer => {
  if (isOnChanges(trigger)) {
    const window = windowOf({ trigger: { kind: 'first-use', unused_days: null } }, span, historyDays);
    return changesReplayer(options.pool, { orgId, trigger, window, imeis });
  }
  if (isCounted(trigger)) {
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

interface Judging {
  tally: Tally;
  note?: (found: readonly Found[], records: number) => void;
  /** Whether to continue after this many SIMs. */
  onward: (sims: number) => Promise<boolean>;
}

/** @returns whether it was completed */
const judgeAll = async (
  replayer: Replayer,
  ids: readonly number[],
  { tally, note, onward }: Judging,
): Promise<boolean> => {
  const isOver = await replayer.judge(ids, ({ sims, records, found, overage }) => {
    if (overage) addOverage(tally, overage);
    for (const ofSim of found.values())
      addTo(
        tally,
        ofSim.map(({ place }) => place),
      );
    note?.([...found.values()].flat(), records);
    return onward(sims);
  });
  return isOver && onward(0);
};

/** The listed firings, latest first. */
const firingsOf = async (
  pool: pg.Pool,
  { orgId, replayed: { trigger } }: RunningReplay,
  found: readonly Found[],
): Promise<ReplayedFiring[]> => {
  const known = found.flatMap((one) => ('firing' in one ? [one.firing] : []));
  const crossed = found.flatMap((one): CrossedPiece[] => ('crossed' in one ? [one.crossed] : []));
  const resolved = await resolveFound(pool, { orgId, trigger: trigger as UsageRule['trigger'] }, crossed);
  return [...known, ...resolved].sort((a, b) => b.at - a.at || a.simId - b.simId);
};
