import { limits } from '@simcube/contract';
import type { Service, ServiceFilter, serviceSorts } from '@simcube/contract/bundle';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, List } from '../../../platform/lists/index.ts';
import { fieldPattern, isBundleNamed, matchesShortText, wholeIdentifier } from '../../sim/index.ts';
import { findServices } from './services.views.ts';

/** The order's index has all filtered columns; in order of ICCID each row is looked up from its SIM. */
const farRows = { byKey: 10_000, bySim: 3000 };

/** Orders of all SIMs of an organisation, the latest first. */
export const orgServiceList: List<
  { orgId: number },
  ServiceFilter,
  { id: number },
  Service & { device_name: string | null },
  (typeof serviceSorts)[number]
> = {
  name: 'bundle.services',
  tables: [
    {
      name: 'orders',
      from: () => sql`(select id, org_id as order_org, sim_id as order_sim, status, bundle_id, sales_order_id,
        ordered_at, activated_key, expires_key from bundle_orders) as o`,
      inScope: ({ scope }) => sql`order_org = ${scope.orgId}`,
    },
    {
      name: 'sims',
      from: () => sql`(select id as sim_key, org_id as sim_org, iccid, imsi, msisdn, last_imei, device_name, notes,
        name_key, search_text from sims) as s`,
      on: sql`sim_key = order_sim`,
      inScope: ({ scope }) => sql`sim_org = ${scope.orgId}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  sorts: {
    ordered_at: { column: 'ordered_at', type: 'instant' },
    activated_at: { column: 'activated_key', type: 'instant' },
    expires_at: { column: 'expires_key', type: 'instant' },
    iccid: { column: 'iccid', type: 'text', table: 'sims' },
  },
  order: '-ordered_at',
  filters: async (db, filter) => [
    ...(await valueConditions(db, filter)),
    ...timeConditions(filter),
    ...(filter.search ? [searchCondition(filter.search)] : []),
  ],
  countLimit: limits.countedTotal,
  searchLimits: (sort) => ({ far: sort === 'iccid' ? farRows.bySim : farRows.byKey }),
  show: (rows, { db }) =>
    findServices(
      db,
      rows.map(({ id }) => id),
    ),
};

const valueConditions = async (db: Db, { status, bundle, type }: ServiceFilter): Promise<Condition[]> => {
  const conditions: Condition[] = [];
  if (status?.length) conditions.push({ holds: sql`status = any(${status}::text[])`, columns: ['status'] });
  if (bundle?.length || type?.length) {
    let query = db.selectFrom('bundles').select('id');
    if (bundle?.length) query = query.where(isBundleNamed(bundle));
    if (type?.length) query = query.where('type', 'in', type);
    const bundles = (await query.execute()).map(({ id }) => id);
    conditions.push({ holds: sql`bundle_id = any(${bundles}::bigint[])`, columns: ['bundle_id'] });
  }
  return conditions;
};

/** Orders without an end match no range of ends. */
const timeConditions = ({
  ordered_from,
  ordered_to,
  expires_from,
  expires_to,
}: ServiceFilter): Condition[] => {
  const conditions: Condition[] = [];
  const add = (column: string, holds: Fragment<SqlBool>) => conditions.push({ holds, columns: [column] });
  if (ordered_from) add('ordered_at', sql`ordered_at >= ${ordered_from}::timestamptz`);
  if (ordered_to) add('ordered_at', sql`ordered_at <= ${ordered_to}::timestamptz`);
  if (expires_from || expires_to) add('expires_key', sql`expires_key < 'infinity'`);
  if (expires_from) add('expires_key', sql`expires_key >= ${expires_from}::timestamptz`);
  if (expires_to) add('expires_key', sql`expires_key <= ${expires_to}::timestamptz`);
  return conditions;
};

/**
 * As in the list of SIMs: one or two letters match the start of a field, punctuation alone matches nothing. The
 * orders' index has the sales order, that of the SIMs the rest. A complete ICCID may be written in groups; a
 * sales order is taken literally.
 */
const searchCondition = (text: string): Condition => {
  const pattern = fieldPattern(text);
  if (!pattern) return { holds: sql`false`, columns: [] };
  const inOrder = sql<SqlBool>`lower(sales_order_id) like lower(${pattern.like})`;
  const { like, indexed } = fieldPattern(wholeIdentifier(text) ?? text) ?? pattern;
  const inSim = sql<SqlBool>`(lower(iccid) like lower(${like}) or name_key like folded(${like}))`;
  const lookup = indexed === undefined ? matchesShortText(text) : sql`search_text like folded(${indexed})`;
  const of = ['orders', 'sims'];
  return {
    holds: sql`(${inOrder} or ${inSim})`,
    columns: ['sales_order_id', 'iccid', 'name_key'],
    tables: of,
    either: [{ holds: inOrder }, { holds: sql`${lookup} and ${inSim}`, tables: of }],
  };
};
