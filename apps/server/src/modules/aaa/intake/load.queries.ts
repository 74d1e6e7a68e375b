import { int8Column, type Sql, textColumn } from '../../../platform/db/index.ts';
import { countsSince, type OveragePolicy, type ResetCycle } from '../../bundle/index.ts';
import { simsBy, usesPoolLimit } from '../../sim/index.ts';
import { candidatesOf, firstFound } from '../identities.rules.ts';
import type { SimState } from './sim-state.ts';

const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;

const simColumns = `
  s.id, s.imsi, s.msisdn, s.iccid, s.last_imei, l.org_id, l.connection, ${ms('l.last_seen_at')},
  ${ms('l.last_session_at')}, host(l.ip), l.plmn, l.radio, l.imei, ${ms('l.cycle_started_at')},
  ${ms('l.cycle_ends_at')}, l.used_bytes, l.limit_bytes, l.threshold_bytes, l.over_limit, l.data_state,
  l.rate_kbps, b.reset_cycle, b.overage_policy, b.slow_kbps, ${ms(countsSince)},
  l.extra_bytes, date_part('epoch', l.open_hour_at) / 3600, l.open_plmn, l.open_radio, l.open_up_bytes, l.open_down_bytes,
  l.open_records, b.stop_after_bytes, b.out_of_coverage_policy = 'shut down' and b.coverage_countries <> '{}', s.lifecycle,
  l.lifecycle_changes, b.type, l.pooled, ${ms('l.pool_stopped_until')}, l.watch_bytes, l.watch_version,
  ${ms('l.held_until')}, l.held_kbps, ${usesPoolLimit}`;

const simTables = `
  join sim_live l on l.sim_id = s.id left join bundles b on b.id = s.bundle_id
  left join lateral (select activated_at from bundle_orders
    where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) o on true`;

const selectSims = `
  select ${simColumns} from ${simsBy('imsi')} i join sims s on s.id = i.sim_id ${simTables} where i.value = any($1::text[])
  union all
  select ${simColumns} from sims s ${simTables} where s.id = any($3::bigint[])
  union all
  select ${simColumns} from ${simsBy('msisdn')} i join sims s on s.id = i.sim_id ${simTables} where i.value = any($2::text[])`;

type SimRow = [
  id: number,
  imsi: string,
  msisdn: string | null,
  iccid: string,
  lastImei: string | null,
  orgId: number,
  connection: number,
  lastSeenAt: number | null,
  lastSessionAt: number | null,
  ip: string | null,
  plmn: number | null,
  radio: number | null,
  imei: string | null,
  cycleStartedAt: number | null,
  cycleEndsAt: number | null,
  used: number,
  limit: number | null,
  threshold: number | null,
  overLimit: boolean,
  dataState: number,
  rateKbps: number | null,
  resetCycle: ResetCycle | null,
  policy: OveragePolicy | null,
  slowKbps: number | null,
  activatedAt: number | null,
  extra: number,
  openHour: number | null,
  openPlmn: number,
  openRadio: number,
  openUp: number,
  openDown: number,
  openRecords: number,
  stopAfterBytes: number | null,
  rejectsOutsideCoverage: boolean | null,
  lifecycle: number,
  lifecycleChanges: number,
  bundleType: string | null,
  isPooled: boolean,
  poolStoppedUntil: number | null,
  watch: number | null,
  watchVersion: number,
  heldUntil: number | null,
  heldKbps: number | null,
  usesPoolLimit: boolean,
];

const simOf = (row: SimRow, batch: number): SimState => {
  const [
    simId,
    ,
    ,
    iccid,
    lastImei,
    orgId,
    connection,
    lastSeenAt,
    lastSessionAt,
    ip,
    plmn,
    radio,
    imei,
    cycleStartedAt,
    cycleEndsAt,
    used,
    limit,
    threshold,
    overLimit,
    dataState,
    rateKbps,
    resetCycle,
    policy,
    slowKbps,
    activatedAt,
    extra,
    openHour,
    openPlmn,
    openRadio,
    openUp,
    openDown,
    openRecords,
    stopAfterBytes,
    rejectsOutsideCoverage,
    lifecycle,
    lifecycleChanges,
    bundleType,
    isPooled,
    poolStoppedUntil,
    watch,
    watchVersion,
    heldUntil,
    heldKbps,
    hasPoolLimit,
  ] = row;
  return {
    simId,
    orgId,
    iccid,
    lifecycle,
    lifecycleChanges,
    bundleType,
    isPooled,
    usesPoolLimit: hasPoolLimit,
    poolStoppedUntil,
    heldUntil,
    heldKbps,
    lastImei,
    connection,
    lastSeenAt,
    lastSessionAt,
    ip,
    plmn,
    radio,
    imei,
    cycleStartedAt,
    cycleEndsAt,
    lastCycle: null,
    used,
    limit,
    extra,
    threshold,
    watch,
    watchVersion,
    overLimit,
    dataState,
    rateKbps,
    openHour:
      openHour === null
        ? null
        : {
            hour: openHour,
            plmn: openPlmn,
            radio: openRadio,
            up: openUp,
            down: openDown,
            records: openRecords,
          },
    bundle:
      resetCycle && policy
        ? {
            resetCycle,
            policy,
            slowKbps,
            stopAfterBytes,
            rejectsOutsideCoverage: rejectsOutsideCoverage ?? false,
          }
        : null,
    activatedAt,
    sessions: new Map(),
    readInBatch: batch,
    isForgotten: false,
  };
};

/**
 * SIMs by `imsi:…` and `any:…` (IMSI or MSISDN; an IMSI takes precedence), the candidates of the given identities, and by
 * id, with the state that intake needs.
 */
export const findSimStates = async (
  sql: Sql,
  { identities = [], ids = [] }: { identities?: Iterable<string>; ids?: readonly number[] },
  batch: number,
): Promise<{ found: SimState[]; byName: Map<string, SimState> }> => {
  const { rows } = await sql.query<SimRow>({
    name: 'aaa-find-sims',
    text: selectSims,
    values: [...numbersOf(identities), int8Column(ids, (id) => id)],
    rowMode: 'array',
  });
  const byName = new Map<string, SimState>();
  // Rows found by MSISDN come last; reversed, the IMSI's row wins for a shared number.
  const found = rows.reverse().map((row) => {
    const sim = simOf(row, batch);
    if (row[2]) byName.set(`any:${row[2]}`, sim);
    byName.set(`any:${row[1]}`, sim).set(`imsi:${row[1]}`, sim);
    return sim;
  });
  return { found, byName };
};

const selectIds = `
  select array['imsi:' || value, 'any:' || value], sim_id from ${simsBy('imsi')} i where value = any($1::text[])
  union all
  select array['any:' || value], sim_id from ${simsBy('msisdn')} i where value = any($2::text[])`;

/** Ids of the SIMs with these identities, matched like in `findSimStates`. */
export const findSimIds = async (sql: Sql, identities: readonly string[]): Promise<Map<string, number>> => {
  const { rows } = await sql.query<[names: string[], id: number]>({
    text: selectIds,
    values: numbersOf(identities),
    rowMode: 'array',
  });
  const byName = new Map(rows.reverse().flatMap(([names, id]) => names.map((name) => [name, id] as const)));
  return new Map(
    identities.flatMap((identity) => {
      const id = firstFound(identity, byName);
      return id === undefined ? [] : [[identity, id]];
    }),
  );
};

/** What may be IMSIs, and what may be MSISDNs. */
const numbersOf = (identities: Iterable<string>) => {
  const candidates = candidatesOf(identities);
  const names = candidates.filter((candidate) => candidate.startsWith('any:'));
  const numberOf = (candidate: string) => candidate.slice(candidate.indexOf(':') + 1);
  return [textColumn(candidates, numberOf), textColumn(names, numberOf)];
};
