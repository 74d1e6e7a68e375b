import type { Language } from '@simcube/contract';
import type { ScheduleSim } from '@simcube/contract/schedule';
import { errorText } from '@simcube/phrases';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { lifecycleOf } from '../../sim/index.ts';
import { listLastScheduled, sendRule } from '../../sms/index.ts';
import { findLastTask } from './runs.views.ts';

export interface SimRow {
  sim_id: number;
  iccid: string;
}

/** SIMs of a schedule, in the order in which they were added. */
export const simList: List<{ scheduleId: number }, object, SimRow, SimRow> = {
  name: 'schedule.sims',
  tables: [
    {
      name: 'recipients',
      from: () => sql`schedule_sims as recipients`,
      inScope: ({ scope }) => sql`schedule_id = ${scope.scheduleId}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [],
  filters: {},
  countLimit: 'all',
  select: sql`sim_id, iccid`,
  show: (rows) => rows,
};

interface OwnSimRow {
  id: number;
  device_name: string | null;
  lifecycle: number;
  technology: string | null;
  tags: string[];
  msisdn: string | null;
  isSuspended: boolean;
}

/** The rows with whether the next run would send to them, and the last run's message. */
export const showSims = async (
  from: Sql,
  rows: readonly SimRow[],
  { orgId, scheduleId, language }: { orgId: number; scheduleId: number; language: Language },
): Promise<ScheduleSim[]> => {
  const simIds = rows.map(({ sim_id }) => sim_id);
  const task = await findLastTask(from, scheduleId);
  const [own, messages] = await Promise.all([
    listOwn(from, { orgId, simIds }),
    task === undefined ? undefined : listLastScheduled(from, { orgId, task, simIds }),
  ]);
  return rows.map(({ sim_id: id, iccid }) => {
    const sim = own.get(id);
    const code = sim ? refusalOf(sim, { orgId, iccid }) : 'CB-01-0012';
    const message = messages?.get(id);
    return {
      iccid,
      device_name: sim?.device_name ?? null,
      own: sim !== undefined,
      code: code ?? null,
      message: code ? errorText(language, code) : null,
      last_message: message ? { at: message.at.toISOString(), status: message.status } : null,
    };
  });
};

const refusalOf = (
  { lifecycle, device_name: _, ...sim }: OwnSimRow,
  more: { orgId: number; iccid: string },
) =>
  sendRule.refuse(
    { ...sim, ...more, lifecycle: lifecycleOf(lifecycle) },
    { parameters: {}, extraFacts: { msisdn: sim.msisdn, isSuspended: sim.isSuspended } },
  );

const listOwn = async (
  from: Sql,
  { orgId, simIds }: { orgId: number; simIds: readonly number[] },
): Promise<Map<number, OwnSimRow>> => {
  const { rows } = await from.query<OwnSimRow>(
    `select s.id, s.device_name, s.lifecycle, s.technology, s.tags, s.msisdn, s.sms_suspended as "isSuspended"
     from sims s where s.id = any($1::bigint[]) and s.org_id = $2`,
    [simIds, orgId],
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** The SIMs currently in the schedule, in the order of the selection. */
export const listIccids = async (from: Sql, scheduleId: number): Promise<string[]> => {
  const { rows } = await from.query<{ iccid: string }>(
    'select iccid from schedule_sims where schedule_id = $1 order by id',
    [scheduleId],
  );
  return rows.map(({ iccid }) => iccid);
};
