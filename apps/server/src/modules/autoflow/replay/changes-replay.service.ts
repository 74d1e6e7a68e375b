import type { Trigger, TriggerOf } from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { listPastChanges, type PastChange } from '../../sim/index.ts';
import { waitsForImei, waitsForStatus } from '../engine/facts.rules.ts';
import { changed } from '../engine/happenings.service.ts';
import { listAllowedImeis } from '../engine/imei-lists.views.ts';
import type { Found, Replayer } from './found.rules.ts';
import type { Window } from './periods.rules.ts';

export type ChangeTrigger = TriggerOf<'status-change'> | TriggerOf<'imei-change'>;
export const isOnChanges = (trigger: Trigger): trigger is ChangeTrigger =>
  trigger.kind === 'status-change' || trigger.kind === 'imei-change';

export interface ChangesReplay {
  orgId: number;
  trigger: ChangeTrigger;
  window: Pick<Window, 'span' | 'closesAt'>;
  /** IMEIs of a draft's list. */
  imeis: readonly (readonly [simId: number, imei: string])[] | null;
}

const dayMs = 86_400_000;

/** Judges rules on changes by the events that they left. */
export const changesReplayer = (sql: Sql, replay: ChangesReplay): Replayer => ({
  judge: async (sims) => {
    const { orgId, trigger, window } = replay;
    const kind = trigger.kind === 'status-change' ? 'lifecycle-changed' : 'imei-changed';
    const changes = await listPastChanges(sql, { orgId, simIds: sims, kind, since: window.span.startsAt });
    const waitsFor = await waitingFor(sql, sims, replay);
    const found = new Map<number, Found[]>();
    for (const change of changes) {
      const { simId, at, from, to } = change;
      if (at >= window.closesAt || !waitsFor(change)) continue;
      const place = Math.floor((at - window.span.startsAt) / dayMs);
      const firing = { simId, at, measured: changed(from, to) };
      found.set(simId, [...(found.get(simId) ?? []), { place, firing }]);
    }
    return { records: changes.length, found };
  },
});

const waitingFor = async (
  sql: Sql,
  simIds: readonly number[],
  { trigger, imeis }: ChangesReplay,
): Promise<(change: PastChange) => boolean> => {
  if (trigger.kind === 'status-change') {
    return ({ from, to }) => waitsForStatus(trigger, { from: from as Lifecycle, to: to as Lifecycle });
  }
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
