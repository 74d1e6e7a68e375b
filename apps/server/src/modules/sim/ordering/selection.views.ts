import type { SimFilter, SimSelection } from '@simcube/contract/sim';
import { type CompiledQuery, type SqlBool, sql } from 'kysely';
import { type Db, type Sql, typedWithin } from '../../../platform/db/index.ts';
import { lookupPredicatesOf } from '../../../platform/lists/index.ts';
import { keys } from '../list/sim-condition.views.ts';
import { conditionsOf } from '../list/sim-filter.views.ts';
import { caseVariants, inEitherCase, lifecycleOf } from '../sim.rules.ts';
import type { Fragment, SimScope } from '../sim-scope.views.ts';
import { simsBy } from '../sims-by.rules.ts';
import type { Candidate, SimFacts } from './sim-operation.rules.ts';

/** Rows per step, so that a hundred thousand never block this process for long. */
const batchSize = 5000;

type FactsRow = [
  id: number,
  orgId: number,
  iccid: string,
  lifecycle: number,
  technology: string | null,
  tags: string[],
];

const factColumns = 's.id, s.org_id, s.iccid, s.lifecycle, s.technology, s.tags';

const factsOf = ([id, orgId, iccid, lifecycle, technology, tags]: FactsRow): SimFacts => ({
  id,
  orgId,
  iccid,
  lifecycle: lifecycleOf(lifecycle),
  technology,
  tags,
});

export interface SelectionQuery {
  scope: SimScope;
  selection: SimSelection;
  /** One more than may be selected, to detect that there are too many. */
  limit: number;
  now: Date;
}

/**
 * Resolves a selection now: either the named ICCIDs in their order, without duplicates, with the SIMs of those
 * that belong to the organisation; or the SIMs that match the filter, by ICCID.
 */
export const listCandidates = async (tx: Sql, query: SelectionQuery): Promise<Candidate[]> => {
  const { selection, scope, limit } = query;
  if ('iccids' in selection) {
    const iccids = [...new Set(selection.iccids)];
    // Too many already: the caller detects it by their number.
    if (iccids.length >= limit) return iccids.slice(0, limit).map((iccid) => ({ iccid, sim: undefined }));
    const listed = await listByIccids(tx, { scope, iccids });
    return listed.map(({ iccid, sim }) => ({ iccid: sim?.iccid ?? iccid, sim }));
  }
  const candidates: Candidate[] = [];
  const statement = await matchingQuery({ db: typedWithin(tx), ...query }, selection);
  await tx.query(`declare selected_sims no scroll cursor for ${statement.sql}`, [...statement.parameters]);
  for (let hasMore = true; hasMore; ) {
    const { rows } = await tx.query<FactsRow>({
      text: `fetch ${batchSize} from selected_sims`,
      rowMode: 'array',
    });
    for (const row of rows) candidates.push({ iccid: row[2], sim: factsOf(row) });
    hasMore = rows.length === batchSize;
  }
  await tx.query('close selected_sims');
  return candidates;
};

/** The same for ICCIDs only, in either case: each SIM once. */
export const listByIccids = async (
  tx: Sql,
  { scope, iccids }: { scope: SimScope; iccids: readonly string[] },
): Promise<Candidate[]> => {
  const byIccid = new Map<string, SimFacts>();
  for (let from = 0; from < iccids.length; from += batchSize) {
    const { rows } = await tx.query<FactsRow>({
      text: `select ${factColumns} from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
        where i.value = any($1::text[]) and s.org_id = $2`,
      values: [iccids.slice(from, from + batchSize).flatMap(caseVariants), scope.orgId],
      rowMode: 'array',
    });
    for (const row of rows) byIccid.set(row[2], factsOf(row));
  }
  const seen = new Set<SimFacts>();
  return iccids.flatMap((iccid): Candidate[] => {
    const sim = inEitherCase(iccid, byIccid);
    if (!sim) return [{ iccid, sim }];
    if (seen.has(sim)) return [];
    seen.add(sim);
    return [{ iccid, sim }];
  });
};

const matchingQuery = async (
  query: SelectionQuery & { db: Db },
  selection: { filter: SimFilter; except?: string[] | undefined },
): Promise<CompiledQuery> =>
  sql`
    select s.id, s.org_id, s.iccid, s.lifecycle, s.technology, s.tags from sims s
    where s.id in (${await matchingIds(query, selection)}) order by s.iccid`.compile(query.db);

/** The ids of all matching SIMs, as a subquery. In a transaction, `db` is that transaction's. */
export const matchingIds = async (
  { db, scope, now, limit }: Pick<SelectionQuery, 'scope' | 'now' | 'limit'> & { db: Db },
  { filter, except }: { filter: SimFilter; except?: readonly string[] | undefined },
): Promise<Fragment> => {
  const conditions = await conditionsOf(db, { scope, filter, now });
  const tables = new Set(conditions.flatMap(({ tables: of }) => of ?? []));
  const clauses: Fragment<SqlBool>[] = [
    scope.sims,
    ...(tables.has('live') ? [scope.live] : []),
    ...(tables.has('keys') ? [scope.keys] : []),
    ...lookupPredicatesOf(conditions),
    ...(except?.length ? [sql<SqlBool>`s.iccid <> all(${except.flatMap(caseVariants)}::text[])`] : []),
  ];
  const joins = [
    ...(tables.has('live') ? [sql`join sim_live l on l.sim_id = s.id`] : []),
    ...(tables.has('keys') ? [sql`join ${keys} on k.key_sim_id = s.id`] : []),
  ];
  return sql`select s.id from sims s ${sql.join(joins, sql` `)} where ${sql.join(clauses, sql` and `)} limit ${limit}`;
};

/** Those of the SIMs that belong to the organisation now, by id. */
export const findOwnIds = async (
  sql: Sql,
  { orgId, refs }: { orgId: number; refs: readonly number[] },
): Promise<Set<number>> => {
  const { rows } = await sql.query<[number]>({
    text: 'select s.id from sims s where s.id = any($1::bigint[]) and s.org_id = $2',
    values: [refs, orgId],
    rowMode: 'array',
  });
  return new Set(rows.map(([id]) => id));
};

/**
 * Facts of SIMs about to be changed, locked in the order of ids until the transaction ends. SIMs that now
 * belong to another organisation are left out.
 */
export const lockSims = async (
  tx: Sql,
  { orgId, simIds }: { orgId: number; simIds: readonly number[] },
): Promise<Map<number, SimFacts>> => {
  const { rows } = await tx.query<FactsRow>({
    text: `select ${factColumns} from sims s where s.id = any($1::bigint[]) and s.org_id = $2
           order by s.id for no key update`,
    values: [simIds, orgId],
    rowMode: 'array',
  });
  return new Map(rows.map((row) => [row[0], factsOf(row)]));
};
