import { limits, type Page } from '@simcube/contract';
import type { Service, ServiceFilter } from '@simcube/contract/bundle';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { decodeCursor, encodeCursor, fail } from '../../../platform/http/index.ts';
import { fieldPattern, foundShort } from '../../sim/index.ts';
import {
  type ServiceOrder,
  type ServicePosition,
  type ServiceSort,
  serviceOrderOf,
  servicePositionSchema,
  servicePositionText,
} from './service-cursor.rules.ts';
import { findServices } from './services.views.ts';

type Condition = RawBuilder<SqlBool>;

export interface ServiceListQuestion {
  filter: ServiceFilter;
  sort: ServiceSort | `-${ServiceSort}` | undefined;
  page: Page;
}

export interface ServiceListAnswer {
  data: (Service & { device_name: string | null })[];
  total: number;
  relation: 'eq' | 'gte';
  nextCursor: string | null;
}

interface Wanted {
  db: Db;
  orgId: number;
  conditions: readonly Condition[];
  search: string | undefined;
  order: ServiceOrder;
  after: ServicePosition | undefined;
  size: number;
  offset: number;
}

interface Found {
  id: number;
  value: string;
}

/**
 * Orders of all SIMs of an organisation. Few matches are all looked up and sorted; when there are more than are counted,
 * so many rows of the sort order are walked, and if the page is not full then, all matches are gathered after all.
 */
export const listOrgServices = async (
  db: Db,
  org: { id: number },
  { filter, sort, page }: ServiceListQuestion,
): Promise<ServiceListAnswer> => {
  const order = serviceOrderOf(sort);
  const after =
    page.cursor === undefined ? undefined : decodeCursor(page.cursor, servicePositionSchema(order));
  const offset = after ? 0 : (page.page_no - 1) * page.page_size;
  if (offset >= limits.countedTotal) {
    const max = Math.floor(limits.countedTotal / page.page_size);
    fail('CB-00-0400', { issues: [{ path: 'page_no', key: 'tooBig', values: { max } }] });
  }
  const conditions = await conditionsOf(db, filter);
  const search = filter.search || undefined;
  const wanted = { db, orgId: org.id, conditions, search, order, after, size: page.page_size, offset };
  const { found, total, relation } = await pageOf(wanted);
  const shown = found.slice(0, page.page_size);
  const last = found.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: await findServices(
      db,
      shown.map(({ id }) => id),
    ),
    total,
    relation,
    nextCursor: last ? encodeCursor(servicePositionText(order, last)) : null,
  };
};

const pageOf = async (wanted: Wanted): Promise<{ found: Found[]; total: number; relation: 'eq' | 'gte' }> => {
  const most = limits.countedTotal;
  const ids = await matchingIds(wanted, most + 1);
  if (ids.length <= most) return { found: await sorted(wanted, ids), total: ids.length, relation: 'eq' };
  const near = await walk(wanted, windowRows[wanted.order.column === 'iccid' ? 'bySim' : 'byKey']);
  const found = near.length > wanted.size ? near : await walk(wanted, undefined);
  return { found, total: most, relation: 'gte' };
};

/** The window's index holds all that is filtered; by ICCID each row is looked up from its SIM. */
const windowRows = { byKey: 10_000, bySim: 3000 } as const;

const conditionsOf = async (db: Db, filter: ServiceFilter): Promise<Condition[]> => {
  const conditions: Condition[] = [];
  if (filter.status?.length) conditions.push(sql`o.status = any(${filter.status}::text[])`);
  if (filter.bundle?.length || filter.type?.length) {
    let query = db.selectFrom('bundles').select('id');
    if (filter.bundle?.length) query = query.where('code', 'in', filter.bundle);
    if (filter.type?.length) query = query.where('type', 'in', filter.type);
    const bundles = (await query.execute()).map(({ id }) => id);
    conditions.push(sql`o.bundle_id = any(${bundles}::bigint[])`);
  }
  if (filter.ordered_from) conditions.push(sql`o.ordered_at >= ${filter.ordered_from}::timestamptz`);
  if (filter.ordered_to) conditions.push(sql`o.ordered_at <= ${filter.ordered_to}::timestamptz`);
  if (filter.expires_from || filter.expires_to) conditions.push(sql`o.expires_key < 'infinity'`);
  if (filter.expires_from) conditions.push(sql`o.expires_key >= ${filter.expires_from}::timestamptz`);
  if (filter.expires_to) conditions.push(sql`o.expires_key <= ${filter.expires_to}::timestamptz`);
  return conditions;
};

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;

/** As in the list of SIMs: one or two letters are looked for at the start of a field, punctuation alone nowhere. */
const partOf = (search: string): { like: string; looked: Condition } => {
  const pattern = fieldPattern(search);
  if (!pattern) return { like: '', looked: sql`false` };
  const { like, indexed } = pattern;
  return {
    like,
    looked: indexed === undefined ? foundShort(search) : sql`s.search_text like folded(${indexed})`,
  };
};

const inSim = ({ like }: { like: string }): Condition =>
  sql`(lower(s.iccid) like lower(${like}) or s.name_key like folded(${like}))`;
const inOrder = ({ like }: { like: string }): Condition => sql`lower(o.sales_order_id) like lower(${like})`;

/** Ids of matches, so many and no more: where a text is searched, from the orders' index and from that of the SIMs. */
const matchingIds = async (
  { db, orgId, conditions, search }: Pick<Wanted, 'db' | 'orgId' | 'conditions' | 'search'>,
  most: number,
): Promise<number[]> => {
  const own = sql<SqlBool>`o.org_id = ${orgId}`;
  const plain = sql`select o.id from bundle_orders o where ${all([own, ...conditions])} limit ${most}`;
  if (search === undefined) return (await sql<{ id: number }>`${plain}`.execute(db)).rows.map(({ id }) => id);
  const part = partOf(search);
  const { rows } = await sql<{ id: number }>`
    select id from (
      (select o.id from bundle_orders o where ${all([own, inOrder(part), ...conditions])} limit ${most})
      union
      (select o.id from sims s join bundle_orders o on o.sim_id = s.id
       where ${all([sql<SqlBool>`s.org_id = ${orgId}`, part.looked, inSim(part), own, ...conditions])} limit ${most})
    ) as found limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
};

/** The same where orders are walked with their SIMs. */
const searched = (search: string | undefined): Condition[] => {
  if (search === undefined) return [];
  const part = partOf(search);
  return [sql<SqlBool>`(${inOrder(part)} or ${inSim(part)})`];
};

const keys = {
  ordered_at: sql`o.ordered_at`,
  activated_at: sql`o.activated_key`,
  expires_at: sql`o.expires_key`,
  iccid: sql`s.iccid`,
} as const satisfies Record<ServiceSort, RawBuilder<unknown>>;

const direction = ({ descending }: ServiceOrder) => (descending ? sql`desc` : sql`asc`);

const beyond = ({ after, order }: Wanted): Condition[] => {
  if (!after) return [];
  const sign = order.descending ? sql`<` : sql`>`;
  // The first part alone is what the index of another table can begin at.
  const near = sql<SqlBool>`${keys[order.column]} ${sign}= ${after.value}`;
  return [near, sql<SqlBool>`(${keys[order.column]}, o.id) ${sign} (${after.value}, ${after.id})`];
};

const sorted = async (wanted: Wanted, ids: readonly number[]): Promise<Found[]> => {
  if (ids.length === 0) return [];
  const { db, order, size, offset } = wanted;
  const { rows } = await sql<Found>`
    select id, key::text as value from (
      select o.id, ${keys[order.column]} as key from bundle_orders o ${withSims(order.column === 'iccid')}
      where ${all([sql<SqlBool>`o.id = any(${ids}::bigint[])`, ...beyond(wanted)])}
      order by key ${direction(order)}, o.id ${direction(order)} limit ${size + 1} offset ${offset}) as page
    order by key ${direction(order)}, id ${direction(order)}`.execute(db);
  return rows;
};

const withSims = (wanted: boolean) => (wanted ? sql`join sims s on s.id = o.sim_id` : sql``);

/** The order, walked for so many rows, or to its end, and filtered on the way. */
const walk = async (wanted: Wanted, most: number | undefined): Promise<Found[]> => {
  const { db, orgId, conditions, search, order, size, offset } = wanted;
  const bySim = order.column === 'iccid';
  const mine = bySim
    ? sql<SqlBool>`s.org_id = ${orgId} and o.org_id = ${orgId}`
    : sql<SqlBool>`o.org_id = ${orgId}`;
  const matching = all([...conditions, ...searched(search)]);
  const ordered = sql`order by ${keys[order.column]} ${direction(order)}, o.id ${direction(order)}`;
  if (most === undefined) {
    const { rows } = await sql<Found>`
      select o.id, ${keys[order.column]}::text as value
      from bundle_orders o ${withSims(bySim || search !== undefined)}
      where ${all([mine, ...beyond(wanted)])} and ${matching}
      ${ordered} limit ${size + 1} offset ${offset}`.execute(db);
    return rows;
  }
  const read =
    search === undefined
      ? sql`o.status, o.bundle_id`
      : sql`o.status, o.bundle_id, o.sales_order_id, o.sim_id`;
  const within = sql`select o.id, o.ordered_at, o.activated_key, o.expires_key, ${read}`;
  const { rows } = await sql<Found>`
    select o.id, ${bySim ? sql`o.iccid` : keys[order.column]}::text as value
    from (${bySim ? sql`${within}, s.iccid` : within} from bundle_orders o ${withSims(bySim)}
      where ${all([mine, ...beyond(wanted)])} ${ordered} limit ${most}) as o
    ${search === undefined ? sql`` : sql`join sims s on s.id = o.sim_id`}
    where ${matching}
    order by ${bySim ? sql`o.iccid` : keys[order.column]} ${direction(order)}, o.id ${direction(order)}
    limit ${size + 1} offset ${offset}`.execute(db);
  return rows;
};

/** How many orders an export would have, as far as anybody asks. */
export const countOrgServices = async (
  db: Db,
  org: { id: number },
  { filter, most }: { filter: ServiceFilter; most: number },
): Promise<number> => {
  const conditions = await conditionsOf(db, filter);
  const ids = await matchingIds({ db, orgId: org.id, conditions, search: filter.search || undefined }, most);
  return ids.length;
};

/** Ids of matching orders after one, in the order of their making: an export reads them a batch at a time. */
export const nextOrgServices = async (
  db: Db,
  org: { id: number },
  { filter, after, limit }: { filter: ServiceFilter; after: number; limit: number },
): Promise<number[]> => {
  const conditions = await conditionsOf(db, filter);
  const search = filter.search || undefined;
  const { rows } = await sql<{ id: number }>`
    select o.id from bundle_orders o ${withSims(search !== undefined)}
    where ${all([
      sql<SqlBool>`o.org_id = ${org.id} and o.id > ${after}`,
      ...conditions,
      ...searched(search),
    ])} order by o.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};
