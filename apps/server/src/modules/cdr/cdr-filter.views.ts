import { limits } from '@simcube/contract';
import {
  type CdrFilter,
  cdrRadioTypes,
  cdrSources,
  completeSpan,
  isTooLong,
  unknownValues,
} from '@simcube/contract/cdr';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Db } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { networkCode, simsBy, spellingsOf } from '../sim/index.ts';
import { apnOf } from '../usage/index.ts';

export type Fragment<T = unknown> = RawBuilder<T>;

/** Whose records: those counted for the organisation; optionally of one SIM only. */
export interface CdrScope {
  orgId: number;
  simId?: number;
}

/** A resolved filter; undefined fields don't filter. */
export interface RecordSelection {
  orgId: number;
  from: Date;
  to: Date;
  simIds?: number[] | undefined;
  /** Up to this number of SIMs, records are read directly. */
  fewSims: number;
  sessionKey?: number | undefined;
  plmns?: number[] | undefined;
  /** Set if `plmns` are all networks of these countries. */
  countries?: string[] | undefined;
  radios?: number[] | undefined;
  apns?: string[] | undefined;
  sources?: number[] | undefined;
}

/** As stored in `cdrs.source` and `cdrs.radio`: positions from 1; 0 for an unreported radio type. */
const sourceNumber = (source: (typeof cdrSources)[number]): number => cdrSources.indexOf(source) + 1;
const radioNumber = (radio: (typeof cdrRadioTypes)[number]): number =>
  radio === unknownValues.radio ? 0 : cdrRadioTypes.indexOf(radio) + 1;
export const radioName = (number: number): (typeof cdrRadioTypes)[number] =>
  cdrRadioTypes[number - 1] ?? unknownValues.radio;

/**
 * The span of a filter at a moment; without an end it ends at that moment.
 * @param path position of the filter in the request
 * @throws Failure CB-00-0400 if it is longer than a query may be
 */
export const spanAt = (filter: CdrFilter, now: Date, path = ''): { from: Date; to: Date } => {
  const span = completeSpan(filter, now);
  if (isTooLong(span)) {
    const values = { max: limits.cdrs.days };
    fail('CB-00-0400', { issues: [{ path: `${path}from`, key: 'spanTooLong', values }] });
  }
  return span;
};

/**
 * Maximum number of SIMs whose records are read by SIM: those of more SIMs are so scattered in index and table that
 * other ways are faster.
 */
const defaultFewSims = 100;

/**
 * Resolves a filter. Unknown SIMs and networks match no record.
 * @throws Failure CB-00-0400 if its span is too long
 * @param since start of the queried time, if before the span: networks used since then are included
 * @param fewSims up to this number of SIMs, records are read directly
 */
export const resolveFilter = async (
  db: Db,
  {
    scope,
    filter,
    now,
    since,
    fewSims = defaultFewSims,
  }: {
    scope: CdrScope;
    filter: CdrFilter;
    now: Date;
    since?: Date | undefined;
    fewSims?: number | undefined;
  },
): Promise<RecordSelection> => {
  const { country, operator, radio, apn, source, session, identifiers } = filter;
  const span = spanAt(filter, now);
  const [plmns, matchingSims, matchingSession] = await Promise.all([
    country?.length || operator?.length
      ? findPlmns(db, { orgId: scope.orgId, span: { ...span, from: since ?? span.from }, country, operator })
      : undefined,
    identifiers === undefined ? undefined : findSims(db, identifiers),
    session === undefined ? undefined : findSession(db, session),
  ]);
  const simLists = [
    scope.simId === undefined ? undefined : [scope.simId],
    matchingSims,
    matchingSession?.simIds,
  ];
  return {
    orgId: scope.orgId,
    ...span,
    simIds: intersectionOf(simLists),
    fewSims,
    sessionKey: matchingSession?.key,
    plmns,
    countries: country?.length && !operator?.length ? country : undefined,
    radios: radio?.length ? radio.map(radioNumber) : undefined,
    apns: apn?.length ? apn.map(apnOf) : undefined,
    sources: source?.length ? source.map(sourceNumber) : undefined,
  };
};

/** The intersection of the lists that are defined; undefined if none is. */
const intersectionOf = (lists: readonly (number[] | undefined)[]): number[] | undefined => {
  const [first, ...rest] = lists.filter((list) => list !== undefined);
  return first?.filter((id) => rest.every((list) => list.includes(id)));
};

/** Finds SIMs by identifiers as people write them. */
const findSims = async (db: Db, identifiers: readonly string[]): Promise<number[]> => {
  const spellings = [...new Set(identifiers.flatMap(spellingsOf))];
  const { rows } = await sql<{ id: number }>`
    select distinct i.sim_id as id from ${sql.raw(simsBy())} i where i.value = any(${spellings}::text[])`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** Ids of records and sessions consist of an ICCID and numbers. */
const findSession = async (db: Db, session: string): Promise<{ simIds: number[]; key: number }> => {
  const [iccid = '', key = ''] = session.split('-');
  const { rows } = await sql<{ id: number }>`
    select i.sim_id as id from ${sql.raw(simsBy('iccid'))} i where i.value = ${iccid}`.execute(db);
  return { simIds: rows.map(({ id }) => id), key: Number(key) };
};

interface Span {
  from: Date;
  to: Date;
}

interface NetworkFilter {
  orgId: number;
  span: Span;
  country: string[] | undefined;
  operator: string[] | undefined;
}

/** The networks of the given countries and operators in which the organisation has usage. */
const findPlmns = async (db: Db, { orgId, span, country, operator }: NetworkFilter): Promise<number[]> => {
  const networks = await listNetworks(db, orgId, span);
  const codes = operator?.map((code) => Number(code.slice(0, 3)) * 1000 + Number(code.slice(4)));
  return networks
    .filter((network) => !country?.length || country.includes(network.country))
    .filter(({ plmn }) => !codes?.length || codes.includes(plmn))
    .map(({ plmn }) => plmn);
};

export interface UsedNetwork {
  plmn: number;
  /** MCC and MNC in their usual notation. */
  code: string;
  name: string | null;
  country: string;
}

/** The networks in which the organisation has usage, in a span or ever. */
export const listNetworks = async (db: Db, orgId: number, span?: Span): Promise<UsedNetwork[]> => {
  const days =
    span &&
    sql`and day_on between ${dashboardDays.dayOf(span.from)}::date and ${dashboardDays.dayOf(span.to)}::date`;
  const { rows } = await sql<UsedNetwork>`
    select u.plmn, ${operatorCode} as code, n.operator as name, coalesce(n.country, ${unknownValues.country}) as country
    from (select distinct plmn from org_usage_daily where org_id = ${orgId} ${days ?? sql``}) as u
    left join networks n on n.plmn = u.plmn order by 2`.execute(db);
  return rows;
};

/** MCC and MNC of `u.plmn`, whose network `n` may be unknown. */
const operatorCode = sql`case when u.plmn = 0 then ${sql.lit(unknownValues.operator)}
  else ${sql.raw(networkCode('u.plmn', 'n'))} end`;

/** The conditions on records (`c`) for a filter. */
export const recordConditions = (selection: RecordSelection): Fragment<SqlBool>[] => {
  const { orgId, from, to, simIds } = selection;
  return [
    sql<SqlBool>`c.org_id = ${orgId} and c.ended_at >= ${from} and c.ended_at < ${to}`,
    ...(simIds ? [sql<SqlBool>`c.sim_id = any(${simIds}::bigint[])`] : []),
    ...traitConditions(selection),
  ];
};

/** Conditions other than organisation, time and SIM. */
const traitConditions = ({
  sessionKey,
  plmns,
  radios,
  apns,
  sources,
}: RecordSelection): Fragment<SqlBool>[] => [
  ...(sessionKey === undefined ? [] : [sql<SqlBool>`c.session_key = ${sessionKey}`]),
  ...(plmns ? [sql<SqlBool>`c.plmn = any(${plmns}::integer[])`] : []),
  ...(radios ? [sql<SqlBool>`c.radio = any(${radios}::smallint[])`] : []),
  ...(apns ? [sql<SqlBool>`c.apn = any(${apns}::text[])`] : []),
  ...(sources ? [sql<SqlBool>`c.source = any(${sources}::smallint[])`] : []),
];

export const and = (conditions: readonly Fragment<SqlBool>[]): Fragment<SqlBool> =>
  sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;
