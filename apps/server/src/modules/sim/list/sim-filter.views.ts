import { folded } from '@simcube/contract';
import { lifecycleNumbers, lifecyclesWithData, type SimFilter } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { findTaskItems } from '../../task/index.ts';
import { findByIdentifiers } from '../identifiers/identifiers.views.ts';
import { connectionNumbers, messageItemKind, simItemKind, spellingsOf } from '../sim.rules.ts';
import type { Fragment, SimScope } from '../sim-scope.views.ts';
import { simsBy } from '../sims-by.rules.ts';
import { isBundleNamed, live, type SimCondition } from './sim-condition.views.ts';
import { advancedConditions } from './sim-filter-advanced.views.ts';
import { searchPattern, wholeIdentifier } from './sim-search.rules.ts';
import { matchesShortText } from './sim-short-texts.views.ts';

/**
 * The conditions of a filter, all of which must hold. Bundle codes are resolved to ids first, so that the
 * planner can estimate their numbers.
 */
export const conditionsOf = async (
  db: Db,
  { scope, filter, now }: { scope: SimScope; filter: SimFilter; now: Date },
): Promise<SimCondition[]> => {
  const conditions: SimCondition[] = [];
  const add = (
    holds: Fragment<SqlBool>,
    columns: SimCondition['columns'],
    more: Partial<SimCondition> = {},
  ) => conditions.push({ holds, columns, ...more });
  const listed = true;

  if (filter.lifecycle?.length) {
    const numbers = filter.lifecycle.map((name) => lifecycleNumbers[name]);
    add(sql`lifecycle = any(${numbers}::smallint[])`, ['lifecycle'], { listed });
  }
  if (filter.tags?.length) add(await tagCondition(db, scope, filter.tags), ['tags']);
  if (filter.bundle?.length) {
    const bundles = await db.selectFrom('bundles').select('id').where(isBundleNamed(filter.bundle)).execute();
    add(sql`bundle_id = any(${bundles.map(({ id }) => id)}::bigint[])`, ['bundle_id'], { listed });
  }
  if (filter.expires_within_days !== undefined) {
    const until = new Date(now.getTime() + filter.expires_within_days * dayMs);
    add(sql`expires_key > ${now} and expires_key <= ${until}`, ['expires_key'], { listed });
  }
  if (filter.connection?.length) {
    const numbers = filter.connection.map((name) => connectionNumbers[name]);
    add(sql`connection = any(${numbers}::smallint[])`, ['connection'], { tables: live, listed });
  }
  if (filter.over_limit !== undefined) {
    if (filter.over_limit) add(sql`over_limit`, ['over_limit'], { tables: live, listed });
    else add(sql`not over_limit`, ['over_limit'], { tables: live });
  }
  if (filter.sms_suspended !== undefined) {
    if (filter.sms_suspended) add(sql`sms_suspended`, ['sms_suspended'], { listed });
    else add(sql`not sms_suspended`, ['sms_suspended']);
  }
  if (filter.data_state?.length) conditions.push(dataCondition(filter.data_state, now));
  if (filter.usage_percent_min !== undefined) conditions.push(usageCondition(filter.usage_percent_min));
  conditions.push(...(await advancedConditions(db, { scope, filter, now })));
  if (filter.task !== undefined) conditions.push(await taskCondition(db, scope, filter.task));
  if (filter.identifiers) {
    const identifiedSims = await findByIdentifiers(db, scope, filter.identifiers);
    add(sql`id = any(${identifiedSims.map(({ id }) => id)}::bigint[])`, [], { few: true });
  }
  const identifiedIds = await findByWholeIdentifier(db, scope, filter.search ?? '');
  if (identifiedIds.length > 0) {
    add(sql`id = any(${identifiedIds}::bigint[])`, [], { few: true });
    return conditions;
  }
  const search = searchPattern(filter.search ?? '');
  if (search.kind === 'nothing') add(sql`false`, ['search_text']);
  // The concatenation hides the column from its index: only the lookup, if there is one, may use an index.
  if (search.kind === 'short') {
    const tags = await findTagsLike(db, scope, search.like);
    const lookup = sql<SqlBool>`(${matchesShortText(filter.search ?? '')} or tags && ${tags}::text[])`;
    add(sql`(search_text || '') like folded(${search.like})`, ['search_text'], { lookup });
  }
  if (search.kind === 'pattern') {
    const { like, recheck } = search;
    if (recheck === undefined) add(sql`search_text like folded(${like})`, ['search_text']);
    else {
      const lookup = sql<SqlBool>`search_text like folded(${like})`;
      add(sql`(search_text || '') like ${recheck}`, ['search_text'], { lookup });
    }
  }
  return conditions;
};

/**
 * Indexes list the SIMs that are restricted or were once; what is over by now is a range of them that is not read. What restricted
 * a SIM is stored until it ends, also if the SIM has lost its service in the meantime: then it is not found.
 */
const dataCondition = (states: NonNullable<SimFilter['data_state']>, now: Date): SimCondition => {
  const tables = ['sims', 'keys'] as const;
  const numbers = lifecyclesWithData.map((name) => lifecycleNumbers[name]);
  const mayUseData = sql`lifecycle = any(${numbers}::smallint[])`;
  const isStopped = sql<SqlBool>`(stopped_until > '-infinity' and stopped_until > ${now} and ${mayUseData})`;
  const isSlowed = sql<SqlBool>`(slowed_until > '-infinity' and slowed_until > ${now} and ${mayUseData})`;
  const stopped = { columns: ['stopped_until', 'lifecycle'] as const, tables, listed: true as const };
  const both = { columns: ['stopped_until', 'slowed_until', 'lifecycle'] as const, tables };
  if (!states.includes('slowed')) return { holds: isStopped, ...stopped };
  // A SIM that is slowed by one restriction and stopped by another is stopped.
  if (!states.includes('stopped')) return { holds: sql`${isSlowed} and stopped_until <= ${now}`, ...both };
  return {
    holds: sql`(${isStopped} or ${isSlowed})`,
    ...both,
    either: [
      { holds: isStopped, tables },
      { holds: isSlowed, tables },
    ],
  };
};

/** The index has whole percents; the exact share is checked as well. SIMs without a limit have no share. */
const usageCondition = (percent: number): SimCondition => {
  const exact = sql<SqlBool>`limit_bytes > 0 and used_bytes::float8 * 100 >= limit_bytes::float8 * ${percent}::float8`;
  const whole = Math.floor(percent);
  // Below one percent a lookup is useless: nearly every SIM with a limit matches.
  if (whole === 0) return { holds: exact, columns: ['limit_bytes', 'used_bytes'], tables: live };
  const indexed = sql<SqlBool>`usage_percent > 0 and usage_percent >= ${whole}::smallint`;
  if (whole === percent) return { holds: indexed, columns: ['usage_percent'], tables: live, listed: true };
  return {
    holds: sql<SqlBool>`${indexed} and ${exact}`,
    columns: ['limit_bytes', 'used_bytes', 'usage_percent'],
    tables: live,
  };
};

/** With more SIMs than this, a walk along the order finds enough of them. */
const smallTaskSize = 20_000;

/** SIMs of a task of the organisation, without those that have been transferred since. */
const taskCondition = async (db: Db, { orgId }: SimScope, reference: string): Promise<SimCondition> => {
  const task = await findTaskItems(db, { reference, orgId, kinds: [simItemKind, messageItemKind] });
  if (!task) return { holds: sql`false`, columns: [], few: true };
  return {
    holds: sql`id in (${task.refs}) and coalesce(owned_since <= ${task.acceptedAt}, true)`,
    columns: ['owned_since'],
    ...(task.quantity <= smallTaskSize && { few: true }),
  };
};

/** SIMs that have each of the tags, ignoring width and case. */
const tagCondition = async (
  db: Db,
  { orgId }: SimScope,
  requested: readonly string[],
): Promise<Fragment<SqlBool>> => {
  const { rows } = await sql<{ tag: string }>`
    select tag from org_tags where org_id = ${orgId} and folded(tag) in
      (select folded(one) from unnest(${requested}::text[]) as one)`.execute(db);
  const spellings = requested.map((tag) => [
    ...new Set([tag, ...rows.flatMap((row) => (folded(row.tag) === folded(tag) ? [row.tag] : []))]),
  ]);
  if (spellings.every(({ length }) => length === 1)) return sql<SqlBool>`tags @> ${requested}::text[]`;
  return sql.join(
    spellings.map((tags) => sql`tags && ${tags}::text[]`),
    sql` and `,
  );
};

/** The organisation's tags for which a SIM's search text matches the pattern. */
export const findTagsLike = async (
  db: Db,
  { orgId }: Pick<SimScope, 'orgId'>,
  like: string,
): Promise<string[]> => {
  const { rows } = await sql<{ tag: string }>`
    select tag from org_tags where org_id = ${orgId} and E'\\n' || folded(tag) like folded(${like})`.execute(
    db,
  );
  return rows.map(({ tag }) => tag);
};

/** The SIMs whose complete ICCID, IMSI or MSISDN is the text: found immediately, without a text search. */
const findByWholeIdentifier = async (db: Db, scope: SimScope, text: string): Promise<number[]> => {
  const whole = wholeIdentifier(text);
  if (whole === undefined) return [];
  const { rows } = await sql<{ id: number }>`
    select distinct s.id from ${sql.raw(simsBy())} i join sims s on s.id = i.sim_id
    where i.value = any(${spellingsOf(whole)}::text[]) and ${scope.sims}`.execute(db);
  return rows.map(({ id }) => id);
};
