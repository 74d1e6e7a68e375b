import { folded } from '@simcube/contract';
import { type emptiableFields, radioTypes, type SimFilter } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../sim.rules.ts';
import type { Fragment, SimScope } from '../sim-scope.views.ts';
import { columns, live, type SimCondition, simsAndLive } from './sim-condition.views.ts';
import { containsPattern, type FieldSearch, fieldPattern } from './sim-search.rules.ts';
import { matchesShortText } from './sim-short-texts.views.ts';

interface FilterQuery {
  scope: SimScope;
  filter: SimFilter;
  now: Date;
}

const listed = true;
const microsPerUnit = 1_000_000;

/** The conditions of the advanced search, field by field. */
export const advancedConditions = async (db: Db, query: FilterQuery): Promise<SimCondition[]> => [
  ...usageRanges(query.filter),
  ...costRange(query.filter),
  ...textConditions(query.filter),
  ...(await valueConditions(db, query)),
  ...cardConditions(query.filter),
  ...(await addressConditions(db, query)),
  ...(await networkConditions(db, query.filter)),
  ...timeConditions(query),
  ...(query.filter.empty ?? []).map((field) => emptyCondition(field, true)),
  ...(query.filter.not_empty ?? []).map((field) => emptyCondition(field, false)),
];

const usageRanges = ({ usage_percent_max, usage_bytes_min, usage_bytes_max }: SimFilter): SimCondition[] => {
  const conditions: SimCondition[] = [];
  if (usage_percent_max === 0) {
    const { holds, either } = bytesBetween(undefined, 0);
    conditions.push({
      holds: sql`${holds} and limit_bytes > 0`,
      columns: ['usage_step', 'used_bytes', 'limit_bytes'],
      tables: live,
      either: either.map((one) => ({ ...one, holds: sql`${one.holds} and limit_bytes > 0` })),
    });
  } else if (usage_percent_max !== undefined) {
    // The index has whole percents; used if there is also a lower bound.
    conditions.push({
      holds: sql`usage_percent <= ${Math.floor(usage_percent_max)}::smallint and limit_bytes > 0
        and used_bytes::float8 * 100 <= limit_bytes::float8 * ${usage_percent_max}::float8`,
      columns: ['usage_percent', 'limit_bytes', 'used_bytes'],
      tables: live,
    });
  }
  if (usage_bytes_min !== undefined || usage_bytes_max !== undefined) {
    conditions.push({
      ...bytesBetween(usage_bytes_min, usage_bytes_max),
      columns: ['usage_step', 'used_bytes'],
      tables: live,
    });
  }
  return conditions;
};

/** SIMs without a price have no cost, so they match no range. */
const costRange = ({ cost_min, cost_max }: SimFilter): SimCondition[] => {
  if (cost_min === undefined && cost_max === undefined) return [];
  const micros = (amount: number) => sql`${Math.round(amount * microsPerUnit)}::bigint`;
  const parts = [sql<SqlBool>`cost >= ${micros(cost_min ?? 0)}`];
  if (cost_max !== undefined) parts.push(sql<SqlBool>`cost <= ${micros(cost_max)}`);
  return [{ holds: sql.join(parts, sql` and `), columns: ['cost'], tables: ['keys'], listed }];
};

/** For SIMs online the index has only steps, within which each amount is checked; for all others, the amounts. */
const bytesBetween = (min: number | undefined, max: number | undefined) => {
  const between = (bytes: Fragment): Fragment<SqlBool> => {
    const parts: Fragment<SqlBool>[] = [];
    const amount = (value: number) => sql`(usage_step(${value}::bigint), ${value}::bigint)`;
    if (min !== undefined) parts.push(sql`(usage_step, ${bytes}) >= ${amount(min)}`);
    if (max !== undefined) parts.push(sql`(usage_step, ${bytes}) <= ${amount(max)}`);
    return sql.join(parts, sql` and `);
  };
  const either = Object.values(connectionNumbers).map((number) => {
    const bytes = number === connectionNumbers.online ? sql`used_bytes` : sql`settled_bytes`;
    return { holds: sql<SqlBool>`connection = ${sql.lit(number)} and ${between(bytes)}`, tables: live };
  });
  return { holds: between(sql`used_bytes`), either };
};

/** Parts of names and notes: the search's indexes find candidates in any field, the field itself decides. */
const textConditions = ({ device_name, notes }: SimFilter): SimCondition[] => {
  const conditions: SimCondition[] = [];
  if (device_name !== undefined) {
    const pattern = fieldPattern(device_name);
    const holds = sql<SqlBool>`name_key like folded(${pattern?.like ?? null}) and name_key < ${unnamedKey}`;
    // A prefix of names is a range of their order.
    const by =
      pattern && !pattern.atStart
        ? { scattered: true as const, lookup: lookupOf('device_name', device_name, pattern) }
        : { listed: true as const };
    conditions.push({ holds, columns: ['name_key'], ...by });
  }
  if (notes !== undefined) {
    const pattern = fieldPattern(notes);
    const holds = sql<SqlBool>`${filledCondition('notes', true)} and folded(translate(notes, E'\\n', ' ')) like folded(${pattern?.like ?? null})`;
    const lookup = lookupOf('notes', notes, pattern);
    conditions.push({ holds, columns: ['filled', 'notes'], lookup });
  }
  return conditions;
};

const lookupOf = (
  field: 'device_name' | 'notes',
  text: string,
  pattern: FieldSearch | undefined,
): Fragment<SqlBool> =>
  pattern?.indexed === undefined
    ? matchesShortText(text, field)
    : sql`search_text like folded(${pattern.indexed})`;

/** With more distinct values than this, these are not scanned: every SIM's own value is compared instead. */
const maxDistinctValues = 3000;

/**
 * Many SIMs share an APN or a delivery note: the distinct values that contain the text are found quickly, by a
 * skip scan of the index, and their SIMs are listed there.
 */
const valueConditions = async (db: Db, { scope, filter }: FilterQuery): Promise<SimCondition[]> => {
  const conditions: SimCondition[] = [];
  for (const field of ['apn', 'delivery_note_number'] as const) {
    const text = filter[field];
    if (text === undefined) continue;
    const values = await listDistinctValues(db, scope, field);
    if (values === undefined) {
      const holds = sql<SqlBool>`folded(${columns[field]}) like folded(${containsPattern(text)})`;
      conditions.push({ holds, columns: [field] });
    } else {
      const matching = values.filter((value) => folded(value).includes(folded(text)));
      conditions.push({
        holds: sql`${columns[field]} = any(${matching}::text[])`,
        columns: [field],
        listed,
      });
    }
  }
  return conditions;
};

const listDistinctValues = async (
  db: Db,
  scope: SimScope,
  field: 'apn' | 'delivery_note_number',
): Promise<string[] | undefined> => {
  const column = columns[field];
  const { rows } = await sql<{ value: string }>`
    with recursive different as (
      (select ${column} as value from sims s where ${scope.sims} and ${column} is not null order by ${column} limit 1)
      union all
      select (select ${column} from sims s where ${scope.sims} and ${column} > different.value order by ${column} limit 1)
      from different where different.value is not null)
    select value from different where value is not null limit ${maxDistinctValues + 1}`.execute(db);
  return rows.length > maxDistinctValues ? undefined : rows.map(({ value }) => value);
};

const cardConditions = ({ chip_grade, technology }: SimFilter): SimCondition[] => {
  const conditions: SimCondition[] = [];
  if (chip_grade?.length) {
    const holds = sql<SqlBool>`chip_grade = any(${chip_grade}::text[])`;
    conditions.push({ holds, columns: ['chip_grade'], listed });
  }
  if (technology?.length) {
    const holds = sql<SqlBool>`technology = any(${technology}::text[])`;
    conditions.push({ holds, columns: ['technology'], listed });
  }
  return conditions;
};

/** An address belongs to few SIMs, unless many networks assign it: each table is queried separately. */
const addressConditions = async (db: Db, { scope, filter: { ip } }: FilterQuery): Promise<SimCondition[]> => {
  if (ip === undefined) return [];
  const { rows } = await sql<{ id: number }>`
    (select l.sim_id as id from sim_live l where ${scope.live} and l.ip = ${ip}::inet limit ${maxDistinctValues + 1})
    union
    (select s.id from sims s join sim_live l on l.sim_id = s.id
     where ${scope.sims} and s.fixed_ip = ${ip}::inet and l.ip is null limit ${maxDistinctValues + 1})`.execute(
    db,
  );
  if (rows.length <= maxDistinctValues) {
    const holds = sql<SqlBool>`id = any(${rows.map(({ id }) => id)}::bigint[])`;
    return [{ holds, columns: [], few: true }];
  }
  const holds = sql<SqlBool>`(ip = ${ip}::inet or (ip is null and fixed_ip = ${ip}::inet))`;
  return [{ holds, columns: ['ip', 'fixed_ip'], tables: simsAndLive }];
};

const networkConditions = async (
  db: Db,
  { country, operator, radio }: SimFilter,
): Promise<SimCondition[]> => {
  const conditions: SimCondition[] = [];
  const addNetworks = (plmns: readonly number[]) =>
    conditions.push({ holds: sql`plmn = any(${plmns}::integer[])`, columns: ['plmn'], tables: live, listed });
  if (country?.length) {
    const rows = await db.selectFrom('networks').select('plmn').where('country', 'in', country).execute();
    addNetworks(rows.map(({ plmn }) => plmn));
  }
  if (operator?.length) {
    addNetworks(
      operator.map((code) => {
        const [mcc, mnc] = code.split('-');
        return Number(mcc) * 1000 + Number(mnc);
      }),
    );
  }
  if (radio?.length) {
    const numbers = radio.map((name) => radioTypes.indexOf(name) + 1);
    conditions.push({
      holds: sql`radio = any(${numbers}::smallint[])`,
      columns: ['radio'],
      tables: live,
      listed,
    });
  }
  return conditions;
};

/** Ranges include both ends. SIMs without such a time match none. */
const timeConditions = ({ filter, now }: FilterQuery): SimCondition[] => {
  const conditions: SimCondition[] = [];
  const range = (
    column: 'shipment_on' | 'activated_key' | 'expires_key' | 'last_session_key',
    { from, to, more }: { from: Fragment | undefined; to: Fragment | undefined; more: Partial<SimCondition> },
  ) => {
    if (!from && !to) return;
    const parts: Fragment<SqlBool>[] = [];
    if (from) parts.push(sql`${columns[column]} >= ${from}`);
    if (to) parts.push(sql`${columns[column]} <= ${to}`);
    const isSince = column === 'activated_key' || column === 'last_session_key';
    if (!from && isSince) parts.push(sql`${columns[column]} > '-infinity'`);
    if (!to && column === 'expires_key') parts.push(sql`expires_key < 'infinity'`);
    if (column === 'last_session_key') parts.push(anyConnection);
    conditions.push({ holds: sql.join(parts, sql` and `), columns: [column], ...more });
  };
  const day = (text: string | undefined) => (text === undefined ? undefined : sql`${text}::date`);
  const instant = (text: string | undefined) => (text === undefined ? undefined : sql`${text}::timestamptz`);
  range('shipment_on', { from: day(filter.shipment_from), to: day(filter.shipment_to), more: { listed } });
  range('activated_key', {
    from: instant(filter.activated_from),
    to: instant(filter.activated_to),
    more: { listed },
  });
  range('expires_key', {
    from: instant(filter.expires_from),
    to: instant(filter.expires_to),
    more: { listed },
  });
  range('last_session_key', {
    from: instant(filter.last_session_from),
    to: instant(filter.last_session_to),
    more: { columns: ['last_session_key', 'connection'], tables: live, listed },
  });
  if (filter.imei_changed_within_days !== undefined) {
    const since = new Date(now.getTime() - filter.imei_changed_within_days * dayMs);
    conditions.push({
      holds: sql`imei_changed_at >= ${since}`,
      columns: ['imei_changed_at'],
      listed,
    });
  }
  return conditions;
};

/**
 * The index orders SIMs by connection, then by last session: with all connections named, it finds the times
 * within each.
 */
const anyConnection = sql<SqlBool>`connection = any(${Object.values(connectionNumbers)}::smallint[])`;

type EmptiableField = (typeof emptiableFields)[number];

/** The bits of `sims.filled`; an address may also be the session's. */
const filledBits = { msisdn: 1, last_imei: 2, notes: 4, tags: 8, fixed_ip: 16 } as const;
const filledSets = Array.from({ length: 32 }, (_, set) => set);

/** The index lists SIMs by the set of fields that have a value. */
const filledCondition = (field: keyof typeof filledBits, isFilled: boolean): Fragment<SqlBool> =>
  sql`filled = any(${filledSets.filter((set) => (set & filledBits[field]) > 0 === isFilled)}::smallint[])`;

/** The sort key of SIMs without a name. */
const unnamedKey = sql`U&'\\+10FFFF'`;

const emptyCondition = (field: EmptiableField, isEmpty: boolean): SimCondition => {
  const either = (empty: Fragment<SqlBool>, full: Fragment<SqlBool>, more: Omit<SimCondition, 'holds'>) => ({
    holds: isEmpty ? empty : full,
    ...more,
  });
  switch (field) {
    case 'msisdn':
    case 'last_imei':
    case 'notes':
    case 'tags':
      return { holds: filledCondition(field, !isEmpty), columns: ['filled'], listed };
    case 'device_name':
      // In the order by name, SIMs without one are together at the end.
      return either(sql`name_key = ${unnamedKey}`, sql`name_key < ${unnamedKey}`, {
        columns: ['name_key'],
        listed,
      });
    case 'expires_at':
      return either(sql`expires_key = 'infinity'`, sql`expires_key < 'infinity'`, {
        columns: ['expires_key'],
        listed,
      });
    case 'ip':
      return either(
        sql`ip is null and ${filledCondition('fixed_ip', false)}`,
        sql`(ip is not null or ${filledCondition('fixed_ip', true)})`,
        { columns: ['ip', 'filled'], tables: simsAndLive },
      );
    case 'last_session_at':
      return either(
        sql`last_session_key = '-infinity' and ${anyConnection}`,
        sql`last_session_key > '-infinity' and ${anyConnection}`,
        { columns: ['last_session_key', 'connection'], tables: live, listed },
      );
    case 'bundle':
    case 'apn':
    case 'delivery_note_number':
    case 'shipment_on': {
      const column = field === 'bundle' ? 'bundle_id' : field;
      return either(sql`${columns[column]} is null`, sql`${columns[column]} is not null`, {
        columns: [column],
        listed,
      });
    }
  }
};
