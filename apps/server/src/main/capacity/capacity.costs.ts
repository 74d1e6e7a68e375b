import { retentionMonths } from '../../modules/usage/index.ts';

/*
 * The costs that `simcube capacity` calculates with, all measured on two cores of an AMD EPYC with PostgreSQL
 * 18. Bytes: `npm run bench -- sizes`, the run “hourly” of 24 November 2026; what is computed of CDRs of 27
 * November, live state and its keys of 28 November (and 16 bytes for two more instants), identifiers of an import of 100,000 SIMs. Processor time:
 * `npm run bench -- accounting`, window of 1,024, of 21 November 2026 (docs/benchmarks.md, Accounting).
 */

/**
 * What tables have rows for: `hour` and `day` are those of a SIM in a network; sessions of files exist only in
 * CDRs.
 */
export type Unit = 'SIM' | 'CDR' | 'hour' | 'day' | 'session' | 'session with CDRs';
export type StoredUnits = Readonly<Record<Unit, number>>;

export interface TableCost {
  table: string;
  per: Unit;
  /** Including indexes and TOAST. */
  bytes: number;
  /** Retention; undefined: as long as its SIM, or permanently. */
  months?: number;
}

/** Share by which a table of a run may differ from the calculation, if it has at least `comparedShare` of all bytes. */
export const tableMargin = 0.25;
export const comparedShare = 0.02;

export const tableCosts: readonly TableCost[] = [
  { table: 'sims', per: 'SIM', bytes: 1473 },
  { table: 'sim_identifiers', per: 'SIM', bytes: 366 },
  { table: 'sim_live', per: 'SIM', bytes: 1047 },
  { table: 'sim_live_keys', per: 'SIM', bytes: 165 },
  { table: 'sim_costs', per: 'SIM', bytes: 110 },
  { table: 'cdrs', per: 'CDR', bytes: 239, months: retentionMonths.cdrs },
  { table: 'cdr_counts', per: 'hour', bytes: 18.9, months: retentionMonths.cdrs },
  { table: 'cdr_firsts', per: 'hour', bytes: 1.8, months: retentionMonths.cdrs },
  { table: 'cdr_sim_counts', per: 'hour', bytes: 13.8, months: retentionMonths.cdrs },
  { table: 'cdr_sim_heads', per: 'hour', bytes: 0.9, months: retentionMonths.cdrs },
  { table: 'cdr_sessions', per: 'session with CDRs', bytes: 152 },
  { table: 'radius_sessions', per: 'session', bytes: 531, months: retentionMonths.cdrs },
  { table: 'sim_events', per: 'session', bytes: 532, months: retentionMonths.sim_events },
  { table: 'usage_hourly', per: 'hour', bytes: 168, months: retentionMonths.usage_hourly },
  { table: 'usage_daily', per: 'day', bytes: 172, months: retentionMonths.usage_daily },
];

/** Processor time per record, in microseconds. */
export interface RecordCost {
  server: number;
  database: number;
}

export const recordCosts: Readonly<Record<'start' | 'interim' | 'stop' | 'hour', RecordCost>> = {
  start: { server: 47, database: 46 },
  interim: { server: 30, database: 24 },
  stop: { server: 32, database: 44 },
  /** When an hour of a SIM ends, its rollups are written. */
  hour: { server: 0, database: 10 },
};

/** Resident memory of an idle server with a million SIMs (`npm run bench -- start`). */
export const serverBytes = 151_000_000;
