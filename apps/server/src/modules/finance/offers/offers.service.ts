import type { Offer, Offers } from '@simcube/contract/finance';
import type pg from 'pg';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { listPoolKinds } from '../../pool/index.ts';
import { findBundlePrices, findVersions } from '../../price/index.ts';
import { type BillMonth, monthOfEnd } from '../bill.rules.ts';
import { type CycleRow, listCycles } from '../charges/cycles.views.ts';
import type { Section } from '../charges/section.rules.ts';
import { dayOf, readActivations, readBilledCycles, simBatches } from '../charges/section-charges.service.ts';
import { type Customer, listSections } from '../customers.views.ts';
import { forEachCustomer } from '../for-each-customer.ts';
import {
  arithmeticOf,
  type CatalogueBundle,
  type Comparison,
  createComparison,
  isWorthwhile,
} from './offers.rules.ts';
import { findOrganisation, listBundlesInUse, listCatalogue } from './offers.views.ts';
import { writeOffers } from './stored-offers.queries.ts';
import { listOutdated } from './stored-offers.views.ts';

const monthsBehind = 3;

/**
 * Finds where another bundle that the customer may order, or a pool like one that it has, would have been
 * cheaper in the last three full months for the same usage at the same prices. Changes nothing.
 */
export const computeOffers = (
  pool: pg.Pool,
  { customer, now }: { customer: Customer; now: Date },
): Promise<Offers> =>
  inSnapshot(pool, async (sql) => {
    const running = dashboardDays.monthOf(now);
    const months = Array.from({ length: monthsBehind }, (_, index) =>
      addMonths(running, index - monthsBehind),
    );
    const span = {
      month: running,
      from: dashboardDays.startOfMonth(months[0] ?? running),
      until: dashboardDays.startOfMonth(running),
    };
    const catalogue = await listCatalogue(sql);
    const offers: Offer[] = [];
    const compared = new Set<string>();
    for (const orgId of await listSections(sql, customer.id)) {
      const section = {
        orgId,
        customerId: customer.id,
        month: span,
        terms: customer.terms,
        tariffId: null,
        source: 'counters',
      } as const;
      const found = await compareSection(sql, section, catalogue);
      for (const month of found.compared) compared.add(month);
      offers.push(...(await selectOffers(sql, { orgId, comparisons: found.comparisons, now })));
    }
    return {
      computed_at: now.toISOString(),
      months,
      compared: months.filter((month) => compared.has(month)),
      offers: offers.toSorted((one, other) => other.saving_minor - one.saving_minor),
    };
  });

type Catalogue = Awaited<ReturnType<typeof listCatalogue>>;
type OwnComparison = Comparison & { own: CatalogueBundle };

const compareSection = async (
  sql: Sql,
  section: Section,
  catalogue: Catalogue,
): Promise<{ comparisons: OwnComparison[]; compared: ReadonlySet<string> }> => {
  const { orgId, month } = section;
  const byId = new Map(catalogue.map((bundle) => [bundle.id, bundle]));
  const others = catalogue.filter(({ orderable }) => orderable);
  const kinds = (await listPoolKinds(sql, orgId)).flatMap(({ name, policy, bundleId }) => {
    const bundle = byId.get(bundleId);
    return bundle ? [{ name, policy, bundle }] : [];
  });
  const groups = new Map<number, { own: CatalogueBundle; cycles: ReturnType<typeof createComparison> }>();
  const groupOf = (bundleId: number) => {
    const known = groups.get(bundleId);
    const own = byId.get(bundleId);
    if (known || !own) return known;
    const pools = kinds.filter(({ bundle }) => bundle.id === own.id || byId.get(bundle.id)?.orderable);
    const group = { own, cycles: createComparison({ bundle: own, others, pools }) };
    groups.set(bundleId, group);
    return group;
  };
  const compared = new Set<string>();
  for await (const simIds of simBatches(sql, section)) {
    const inUse = await listBundlesInUse(sql, { simIds, orgId });
    const query = { simIds: [...inUse.keys()], orgId, month };
    const rows = (await listCycles(sql, { ...query, source: section.source })).filter(
      (row) => inUse.get(row.sim_id) === row.bundle_id && isWhole(row, month),
    );
    const versions = await findVersions(sql, { ...section, days: rows.map(dayOf) });
    const cycleOf = await readBilledCycles(sql, { section, rows, versions });
    const pricesOf = await findBundlePrices(
      sql,
      [...versions.values()].map(({ id }) => id),
    );
    const activated = await readActivations(sql, query);
    for (const row of rows) {
      const version = versions.get(dayOf(row));
      const group = groupOf(row.bundle_id);
      if (!version || !group) continue;
      const { facts } = cycleOf(
        row,
        activated(row).filter(({ bundle_id }) => bundle_id === row.bundle_id),
      );
      const ended = monthOfEnd(row.cycle_ends_at);
      compared.add(ended);
      group.cycles.add({
        simId: row.sim_id,
        month: ended,
        version,
        pricesOf: (bundleId) => pricesOf(version.id, bundleId),
        facts: { ...facts, ownsCycleStart: true },
      });
    }
  }
  const comparisons = [...groups.values()].flatMap(({ own, cycles }) =>
    cycles.results().map((one) => ({ ...one, own })),
  );
  return { comparisons, compared };
};

/** Whether it ended in the months, and belonged to the organisation from beginning to end. */
const isWhole = (row: CycleRow, { from, until }: BillMonth): boolean =>
  row.owns_begin && row.owns_end && !row.moved && row.cycle_ends_at > from && row.cycle_ends_at <= until;

/** The worthwhile changes: for each group the best other bundle and the best pool. */
const selectOffers = async (
  sql: Sql,
  { orgId, comparisons, now }: { orgId: number; comparisons: readonly OwnComparison[]; now: Date },
): Promise<Offer[]> => {
  if (comparisons.length === 0) return [];
  const today = dashboardDays.dayOf(now);
  const version = (await findVersions(sql, { orgId, days: [today] })).get(today);
  if (!version) return [];
  const pricesOf = await findBundlePrices(sql, [version.id]);
  const organisation = await findOrganisation(sql, orgId);
  const best = new Map<string, Offer>();
  for (const { own, bundle, pool, ...found } of comparisons) {
    if (found.currency !== version.currency) continue;
    const { activationMicros } = pricesOf(version.id, bundle.id);
    const arithmetic = arithmeticOf({ bundle, pool, ...found }, { own, activationMicros });
    const key = `${own.id} ${pool !== null}`;
    if (!isWorthwhile(arithmetic) || (best.get(key)?.saving_minor ?? 0) >= arithmetic.saving_minor) continue;
    const instead = { bundle: named(bundle), pool };
    best.set(key, { organisation, bundle: named(own), instead, ...found, ...arithmetic });
  }
  return [...best.values()];
};

const named = ({ code, name }: CatalogueBundle) => ({ code, name });

/**
 * Computes the offers that are older than today's business day: customers are found by their state, and each is
 * computed separately.
 */
export const computeDueOffers = async (
  { pool, now }: { pool: pg.Pool; now: Date },
  signal?: AbortSignal,
): Promise<void> => {
  const before = dashboardDays.startOf(dashboardDays.dayOf(now));
  await forEachCustomer(pool, await listOutdated(pool, before), async (customer) => {
    if (signal?.aborted) return;
    await writeOffers(pool, customer.id, await computeOffers(pool, { customer, now }));
  });
};
