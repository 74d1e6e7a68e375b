import { createHash } from 'node:crypto';
import { radioTypes } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import type { Pool } from 'pg';
import { dashboardDays, usageDays } from '../platform/clock/business-day.ts';
import { makeSim } from './inventory.ts';

export interface UsageSim {
  id: number;
  orgId: number;
  iccid: string;
  imsi: string;
  msisdn: string;
}

/** Two SIMs of one organisation and one of another, without bundles, so that cycles are calendar months (UTC+8). */
export const makeUsageSims = async (pool: Pool): Promise<[UsageSim, UsageSim, UsageSim]> => {
  const { rows } = await pool.query<{ id: number }>(
    `insert into organisations (code, name, country)
     values ('acme', 'Acme Mobility', 'DE'), ('other', 'Other Limited', 'FR') returning id`,
  );
  const [acme = 0, other = 0] = rows.map(({ id }) => id);
  const make = async (orgId: number, msisdn: string) => ({
    ...(await makeSim(pool, orgId, { msisdn })),
    orgId,
    msisdn,
  });
  return [await make(acme, '491520001'), await make(acme, '491520002'), await make(other, '491520003')];
};

/** Deletes all usage; SIMs stay. */
export const clearUsage = async (pool: Pool): Promise<void> => {
  await pool.query(`truncate cdrs, usage_hourly, usage_daily, org_usage_hourly, org_usage_daily,
    usage_cycles, cdr_files, cdr_file_refusals, outbox`);
  await pool.query('update sim_live set used_bytes = 0, cycle_started_at = null, cycle_ends_at = null');
};

export interface UsageRecord {
  sim: UsageSim;
  id: string;
  endedAt: number;
  up: number;
  down: number;
  mnc: number;
  radio: number;
}

/** First line of a file of such records. */
export const cdrHeader = 'identifier,record_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat';
export const lineOf = ({ sim, id, endedAt, up, down, mnc, radio }: UsageRecord): string => {
  const at = new Date(endedAt).toISOString();
  return `${sim.iccid},${id},${at},${up},${down},262,0${mnc},${radioTypes[radio - 1]}`;
};
export const fileOf = (records: readonly UsageRecord[]): string =>
  `${[cdrHeader, ...records.map(lineOf)].join('\n')}\n`;

/** Records of all SIMs over eleven weeks, in random order: three cycles, several hours, networks and radio types. */
export const someRecords = (sims: readonly UsageSim[], count: number, until: Date): UsageRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    sim: sims[index % sims.length] as UsageSim,
    id: `r${index}`,
    endedAt: until.getTime() - ((index * 7919) % 1800) * hourMs - (index % 7) * 1000,
    up: index + 1,
    down: 1000 * index,
    mnc: 1 + (index % 2),
    radio: 1 + (index % 3),
  }));

/** A text as a file that is read in small pieces, which do not end at line breaks. */
export const sourceOf = (text: string | Buffer, piece = 512) => {
  const octets = typeof text === 'string' ? Buffer.from(text) : text;
  return {
    name: 'usage.csv',
    size: octets.length,
    hash: createHash('sha256').update(octets).digest(),
    async *open(from: number) {
      for (let at = from; at < octets.length; at += piece) yield octets.subarray(at, at + piece);
    },
  };
};

type Sums = Record<string, number[]>;

interface UsageTotals {
  cdrs: number;
  hours: Sums;
  days: Sums;
  orgHours: Sums;
  orgDays: Sums;
  live: Sums;
  cycles: Sums;
}

const addTo = (sums: Sums, key: string, values: readonly number[]): void => {
  const before = sums[key];
  sums[key] = values.map((value, index) => value + (before?.[index] ?? 0));
};

/** The expected totals for those records, computed one by one. */
export const expectedUsage = (records: readonly UsageRecord[]): UsageTotals => {
  const totals: UsageTotals = {
    cdrs: 0,
    hours: {},
    days: {},
    orgHours: {},
    orgDays: {},
    live: {},
    cycles: {},
  };
  const perCycle = new Map<number, Map<string, number>>();
  for (const { sim, endedAt, up, down, mnc, radio } of records) {
    const { id, orgId } = sim;
    const at = new Date(endedAt);
    const hour = new Date(endedAt - (endedAt % hourMs)).toISOString();
    const network = `${262_000 + mnc} ${radio}`;
    totals.cdrs += 1;
    addTo(totals.hours, `${id} ${hour} ${network}`, [up, down, 1]);
    addTo(totals.days, `${id} ${usageDays.dayOf(at)} ${network}`, [up, down, 1]);
    addTo(totals.orgHours, `${orgId} ${hour} ${network}`, [up, down, 1]);
    addTo(totals.orgDays, `${orgId} ${dashboardDays.dayOf(at)} ${network}`, [up, down, 1]);
    const cycle = dashboardDays.startOfMonth(dashboardDays.monthOf(at)).toISOString();
    const cycles = perCycle.get(id) ?? new Map<string, number>();
    perCycle.set(id, cycles.set(cycle, (cycles.get(cycle) ?? 0) + up + down));
  }
  for (const [id, cycles] of perCycle) {
    const [running, ...closed] = [...cycles].sort(([a], [b]) => b.localeCompare(a));
    if (running) addTo(totals.live, `${id} ${running[0]}`, [running[1]]);
    for (const [start, used] of closed) addTo(totals.cycles, `${id} ${start}`, [used]);
  }
  return totals;
};

/** The stored totals, in the same form. */
export const storedUsage = async (pool: Pool): Promise<UsageTotals> => {
  const sums = async (text: string): Promise<Sums> => {
    const { rows } = await pool.query<(string | number | Date)[]>({ text, rowMode: 'array' });
    return Object.fromEntries(
      rows.map((row) => {
        const split = row.indexOf('|');
        const key = row.slice(0, split).map((value) => (value instanceof Date ? value.toISOString() : value));
        return [key.join(' '), row.slice(split + 1).map(Number)];
      }),
    );
  };
  const rollup = (table: string, owner: string, time: string) =>
    sums(`select ${owner}, ${time}, plmn, radio, '|', up_bytes, down_bytes, records from ${table}`);
  const { rows } = await pool.query('select count(*) from cdrs where source = 2');
  return {
    cdrs: rows[0].count,
    hours: await rollup('usage_hourly', 'sim_id', 'hour_at'),
    days: await rollup('usage_daily', 'sim_id', 'day_on'),
    orgHours: await rollup('org_usage_hourly', 'org_id', 'hour_at'),
    orgDays: await rollup('org_usage_daily', 'org_id', 'day_on'),
    live: await sums(
      `select sim_id, cycle_started_at, '|', used_bytes from sim_live where cycle_started_at is not null`,
    ),
    cycles: await sums(`select sim_id, cycle_started_at, '|', used_bytes from usage_cycles`),
  };
};
