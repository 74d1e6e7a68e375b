import type { BundleType, OfferedBundle, ResetCycle } from '@simcube/contract/bundle';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { sql } from 'kysely';
import { int8Column, type Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { cycleAt } from '../bundle.cycles.ts';
import type { CatalogueBundle, OrderingFacts } from './ordering.rules.ts';

/** `basic`: what an activated SIM runs on, so no test plans. */
export type OfferedKind = 'basic' | 'supplementary';

const typesOf: Record<OfferedKind, readonly BundleType[]> = {
  basic: ['prepaid basic', 'postpaid flow', 'postpaid bundle', 'postpaid shared'],
  supplementary: ['prepaid supplementary'],
};

/** Bundles that organisations may order, by name. */
export const offeredList: List<
  { kind: OfferedKind },
  { search?: string | undefined },
  OfferedBundle,
  OfferedBundle
> = {
  name: 'bundle.offered',
  tables: [
    {
      name: 'bundles',
      from: () => sql`bundles`,
      inScope: ({ scope }) => sql`orderable and type = any(${typesOf[scope.kind]}::text[])`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [{ column: sql`folded(name)`, type: 'text' }],
  filters: {
    // The operator's catalogue is small enough to scan.
    search: (part) => sql`strpos(folded(name || E'\n' || code), folded(${part})) > 0`,
  },
  countLimit: 'all',
  select: sql`code, name, type, quota_bytes, reset_cycle, duration_days`,
  show: (rows) =>
    rows.map(({ code, name, type, quota_bytes, reset_cycle, duration_days }) => ({
      code,
      name,
      type,
      quota_bytes,
      reset_cycle,
      duration_days,
    })),
};

/** The bundle with the code, if it can be ordered and is of the kind. */
const findOffered = async (
  tx: Sql,
  { code, kind }: { code: string; kind: OfferedKind },
): Promise<CatalogueBundle | null> => {
  const { rows } = await tx.query<CatalogueBundle>(
    'select code, name from bundles where code = $1 and orderable and type = any($2::text[])',
    [code, typesOf[kind]],
  );
  return rows[0] ?? null;
};

type FindOrderingFacts = (tx: Sql, simIds: readonly number[]) => Promise<Map<number, OrderingFacts>>;

/** The facts for ordering one bundle for all SIMs. */
export const findFactsFor =
  ({ now, ...offer }: { code: string; kind: OfferedKind; now: Date }): FindOrderingFacts =>
  async (tx, simIds) => {
    const bundle = await findOffered(tx, offer);
    const sims = await findCurrentPlans(tx, { simIds, now });
    return new Map(
      [...sims].map(([simId, { isOffered: _, ...facts }]) => [simId, { ...facts, bundleToOrder: bundle }]),
    );
  };

/** Those of the SIMs that use a shared pool's limit. */
export type FindPooledSims = (sql: Sql, simIds: readonly number[]) => Promise<ReadonlySet<number>>;

/** The same for a supplementary bundle. */
export const findTopUpFacts =
  ({
    findPooledSims,
    ...offer
  }: {
    code: string;
    now: Date;
    findPooledSims: FindPooledSims;
  }): FindOrderingFacts =>
  async (tx, simIds) => {
    const facts = await findFactsFor({ ...offer, kind: 'supplementary' })(tx, simIds);
    const pooled = await findPooledSims(tx, simIds);
    return new Map([...facts].map(([simId, sim]) => [simId, { ...sim, usesPoolLimit: pooled.has(simId) }]));
  };

/** The same for ordering again what each SIM already has. */
export const findRenewalFacts =
  (now: Date): FindOrderingFacts =>
  async (tx, simIds) =>
    new Map(
      [...(await findCurrentPlans(tx, { simIds, now }))].map(([simId, { isOffered, ...facts }]) => [
        simId,
        { ...facts, bundleToOrder: isOffered ? facts.current : null },
      ]),
    );

interface CurrentRow {
  sim_id: number;
  code: string | null;
  name: string;
  type: BundleType;
  quota_bytes: number | null;
  orderable: boolean;
  reset_cycle: ResetCycle;
  activated_at: Date;
  ends_at: Date | null;
  pending: boolean;
}

interface CurrentPlan extends Omit<OrderingFacts, 'bundleToOrder'> {
  isOffered: boolean;
}

/** The SIMs' plans: the one in use, or for expired SIMs the last one that ended while the organisation had them. */
const findCurrentPlans = async (
  tx: Sql,
  { simIds, now }: { simIds: readonly number[]; now: Date },
): Promise<Map<number, CurrentPlan>> => {
  const { rows } = await tx.query<CurrentRow>(
    `select s.id as sim_id, current.*,
       exists (select from bundle_orders o join bundles b on b.id = o.bundle_id
         where o.sim_id = s.id and o.status = 'pending' and b.type = any($2::text[])) as pending
     from unnest($1::bigint[]) as v (sim_id) join sims s on s.id = v.sim_id
     left join lateral (
       select b.code, b.name, b.type, b.quota_bytes, b.orderable, b.reset_cycle, o.activated_at,
         o.expires_at as ends_at
       from bundle_orders o join bundles b on b.id = o.bundle_id
       where o.sim_id = s.id and o.org_id = s.org_id and b.type = any($2::text[])
         and (o.status = 'in use' or (o.status = 'expired' and s.lifecycle = ${lifecycleNumbers.expired}))
       order by o.status = 'in use' desc, o.expires_at desc nulls first, o.id desc limit 1) as current on true`,
    [int8Column(simIds, (simId) => simId), typesOf.basic],
  );
  return new Map(
    rows.map((row) => [
      row.sim_id,
      {
        current:
          row.code === null
            ? null
            : {
                code: row.code,
                name: row.name,
                type: row.type,
                quotaBytes: row.quota_bytes,
                endsAt: row.ends_at,
              },
        cycleStartedAt:
          row.code === null
            ? null
            : cycleAt({ resetCycle: row.reset_cycle, activatedAt: row.activated_at, at: now }).startedAt,
        hasPendingPlan: row.pending,
        isOver: !row.pending && row.ends_at !== null && row.ends_at <= now,
        isOffered: row.orderable,
      },
    ]),
  );
};
