import type { Trigger, TriggerOf } from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { listPastChanges, type PastChange } from '../../sim/index.ts';
import { waitsForCountry, waitsForImei, waitsForStatus } from '../engine/facts.rules.ts';
import { listAllowedImeis } from '../engine/imei-lists.views.ts';
import { listMoves } from '../engine/moves.service.ts';
import { measuredChange } from '../engine/trigger-events.service.ts';
import type { Window } from './periods.rules.ts';
import { createChunkedReplayer, type Replayer, type ReplayResult } from './replay-results.rules.ts';

export type ChangeTrigger = TriggerOf<'status-change'> | TriggerOf<'imei-change'> | TriggerOf<'country'>;
export const isChangeTrigger = (trigger: Trigger): trigger is ChangeTrigger =>
  ['status-change', 'imei-change', 'country'].includes(trigger.kind);

export interface ChangesReplay {
  orgId: number;
  trigger: ChangeTrigger;
  window: Pick<Window, 'span' | 'closesAt'>;
  /** IMEIs of an unsaved rule's list. */
  imeis: readonly (readonly [simId: number, imei: string])[] | null;
}

/** Evaluates rules on changes by the recorded events. */
export const changesReplayer = (sql: Sql, replay: ChangesReplay): Replayer =>
  createChunkedReplayer(async (sims) => {
    const { orgId, trigger, window } = replay;
    const changes = await readChanges(sql, trigger, { orgId, simIds: sims, since: window.span.startsAt });
    const isMatch = await createChangeFilter(sql, sims, replay);
    const results = new Map<number, ReplayResult[]>();
    for (const change of changes) {
      const { simId, at, from, to } = change;
      if (at >= window.closesAt || !isMatch(change)) continue;
      const dayIndex = Math.floor((at - window.span.startsAt) / dayMs);
      const firing = { simId, at, measured: measuredChange(from, to) };
      results.set(simId, [...(results.get(simId) ?? []), { dayIndex, firing }]);
    }
    return { records: changes.length, results };
  });

/** The changes that the trigger is about, from recorded events; moves between networks as moves between countries. */
export const readChanges = async (
  sql: Sql,
  { kind }: Pick<ChangeTrigger, 'kind'>,
  query: { orgId: number; simIds: readonly number[]; since: number },
): Promise<PastChange[]> => {
  if (kind === 'status-change') return listPastChanges(sql, { ...query, kind: 'lifecycle-changed' });
  if (kind === 'imei-change') return listPastChanges(sql, { ...query, kind: 'imei-changed' });
  return listMoves(sql, query);
};

const createChangeFilter = async (
  sql: Sql,
  simIds: readonly number[],
  { trigger, imeis }: ChangesReplay,
): Promise<(change: PastChange) => boolean> => {
  if (trigger.kind === 'status-change') {
    return ({ from, to }) => waitsForStatus(trigger, { from: from as Lifecycle, to: to as Lifecycle });
  }
  if (trigger.kind === 'country') return (change) => waitsForCountry(trigger, change);
  if (trigger.to !== 'unlisted') return (change) => waitsForImei(trigger, { ...change, allowed: undefined });
  const { list_id } = trigger;
  const allowed = imeis
    ? allowedBy(imeis, list_id)
    : await listAllowedImeis(sql, { lists: [list_id], simIds });
  return (change) => waitsForImei(trigger, { ...change, allowed: allowed.get(change.simId) });
};

const allowedBy = (imeis: NonNullable<ChangesReplay['imeis']>, list: string) => {
  const bySim = new Map<number, Map<string, string[]>>();
  for (const [simId, imei] of imeis) {
    const known = bySim.get(simId)?.get(list) ?? [];
    bySim.set(simId, new Map([[list, [...known, imei]]]));
  }
  return bySim;
};
