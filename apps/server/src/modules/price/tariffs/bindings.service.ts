import type { ChangeContext } from '../../../platform/catalogue/index.ts';
import { addDays, dashboardDays, daysFrom } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { invalidateCosts } from '../costs/stored-costs.queries.ts';
import { findTariffId, lockBindings, writeBinding } from '../price.queries.ts';
import { findVersions } from '../price.views.ts';

export interface BindingOrder {
  organisation: string;
  /** Null: from then on that of the organisation above. */
  tariff: string | null;
  /** A business day; by default today if the organisation has no prices then, or else tomorrow. */
  from?: string | undefined;
}

/**
 * Binds an organisation, and with it those below without a tariff of their own, to a tariff from a day on.
 * Cycles keep the tariff of their first day; so a binding may begin today or in the past only if no day up to today
 * that it applies to had a price: from then on, or up to the organisation's next binding.
 * @returns its first day, and whether anything changed
 * @throws Error if the binding is not valid; the message says why
 */
export const bindTariff = async (
  tx: Sql,
  { organisation, tariff, from }: BindingOrder,
  by: ChangeContext,
): Promise<{ startsOn: string; changed: boolean }> => {
  const tariffId = tariff === null ? null : await findTariffId(tx, tariff);
  if (tariffId === undefined) throw new Error(`There is no tariff ${tariff}`);
  const found = await lockBindings(tx, organisation);
  if (!found) throw new Error(`There is no organisation ${organisation}`);
  const { org, bindings } = found;
  const today = dashboardDays.dayOf(by.at);
  const tomorrow = addDays(today, 1);
  const pricedOn = async (days: string[]): Promise<string[]> =>
    [...(await findVersions(tx, { orgId: org.id, days })).keys()].sort();
  const startsOn = from ?? ((await pricedOn([today])).length > 0 ? tomorrow : today);
  const before = bindings.findLast(({ starts_on }) => starts_on <= startsOn);
  if ((before?.tariff ?? null) === tariff) return { startsOn, changed: false };
  if (startsOn <= today) {
    // Until the next binding, which is kept.
    const until = bindings.find(({ starts_on }) => starts_on > startsOn)?.starts_on ?? tomorrow;
    const last = until <= today ? addDays(until, -1) : today;
    const [firstPriced] = await pricedOn(daysFrom(startsOn, last));
    if (firstPriced !== undefined) {
      throw new Error(
        `${org.code} already has prices on ${firstPriced}: bind it from tomorrow (${tomorrow}, ${dashboardDays.zone}) or later`,
      );
    }
  }
  await writeBinding(tx, { orgId: org.id, startsOn, tariffId });
  await invalidateCosts(tx);
  await recordAudit(tx, {
    orgId: org.id,
    ...by,
    action: tariff === null ? 'tariff.unbound' : 'tariff.bound',
    subject: { kind: 'tariff', id: tariff ?? before?.tariff ?? '', name: tariff ?? before?.tariff ?? '' },
    before: { tariff: before?.tariff ?? null },
    after: { tariff, starts_on: startsOn },
  });
  return { startsOn, changed: true };
};
