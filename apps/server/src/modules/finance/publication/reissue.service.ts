import type pg from 'pg';
import { inSnapshot, inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { type BillMonth, billMonth } from '../bill.rules.ts';
import { endsWithin } from '../charges/cycle-charges.rules.ts';
import type { CycleRow } from '../charges/cycles.views.ts';
import { createLineBook } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import { isCorrectable } from '../charges/section.rules.ts';
import { chargeSims } from '../charges/section-charges.service.ts';
import { findCustomer, listBillSections } from '../customers.views.ts';
import { insertBill, sumSims, writeCharges, writeCycles, writeLines } from '../drafts/drafts.queries.ts';
import {
  copyCorrections,
  copyParties,
  copyTerms,
  type DroppedCharge,
  findTariff,
  isCarriedForward,
  isCorrected,
  listDropped,
  lockBill,
  markObsolete,
  sumLines,
} from './publication.queries.ts';
import { BillRefused, type ChangedBy, lockByNumber, publish } from './publication.service.ts';

/**
 * Replaces a published bill by a new version, computed from current data and, if a tariff is given, by that
 * one. Both versions exist from then on, the previous one as obsolete; payments count for the new one.
 * @returns also what the new version no longer charges: a tariff without a price for it is like one with a price of zero
 * @throws BillRefused if the bill can't be replaced
 */
export const reissueBill = (
  pool: pg.Pool,
  number: string,
  { reason, tariff, actor, at }: ChangedBy & { reason: string; tariff: string | null },
): Promise<{ version: number; before: number; after: number; dropped: DroppedCharge[] }> =>
  inTransaction(pool, async (tx) => {
    const { bill, locked } = await lockByNumber(tx, number);
    if (bill.status === 'draft')
      throw new BillRefused(
        locked?.isPublished
          ? `${number} is held, and its month is published: publish it, then reissue it`
          : `${number} is a draft, which is recomputed until its month is published`,
      );
    if (await isCorrected(tx, bill))
      throw new BillRefused(`A later bill contains corrections of ${bill.month}: reissue that one`);
    const other = tariff === null ? null : await findTariff(tx, tariff);
    if (other === undefined) throw new BillRefused(`There is no tariff ${tariff}`);
    if (other && other.currency !== bill.currency)
      throw new BillRefused(`Tariff ${tariff} is in ${other.currency}, the bill in ${bill.currency}`);
    const customer = await findCustomer(tx, bill.org_id);
    if (!customer) throw new BillRefused('Its organisation is no longer a settlement customer');
    const month = billMonth(bill.month);
    if (bill.type !== 'advance' && month.from < retainedSince('sms_messages', at))
      throw recordsDropped(number);
    const key = { customerId: customer.id, month: bill.month };
    const { type, currency } = bill;
    const terms = type === 'advance' ? customer.terms : type;
    const tariffId = other?.id ?? null;
    const replaces = { serial: bill.serial, version: bill.version, reason, tariffId };
    const id = await insertBill(tx, { ...key, type, currency, at, replaces });
    const book = createLineBook();
    const isSameBill = (one: { type: string; currency: string }) =>
      one.type === type && one.currency === currency;
    await inSnapshot(pool, async (snapshot) => {
      for (const billed of await listBillSections(snapshot, {
        customerId: customer.id,
        serial: bill.serial,
      })) {
        const { orgId } = billed;
        const section = {
          ...billed,
          customerId: customer.id,
          month,
          terms,
          tariffId,
          currency,
          source: 'counters',
        } as const;
        for await (const batch of chargeSims(snapshot, book, section, { corrects: null })) {
          if (type !== 'advance' && needsDroppedHours(batch.basis.rows, month, at))
            throw recordsDropped(number);
          const charges = batch.charges.filter((charge) => isSameBill(charge.bill));
          await writeCharges(tx, charges, () => id);
          if (type !== 'advance') await writeCycles(tx, key, { orgId, cycles: batch.cycles });
        }
        await chargePools(snapshot, book, { section, corrects: null });
      }
    });
    const lines = book.bills().find(isSameBill)?.lines ?? [];
    await writeLines(tx, id, lines);
    const dropped = await listDropped(tx, { from: bill.id, to: id });
    await copyCorrections(tx, { from: bill.id, to: id, after: lines.length });
    await copyParties(tx, { from: bill.id, to: id });
    await sumSims(tx, id);
    await sumLines(tx, id);
    await copyTerms(tx, { from: bill.id, to: id });
    await markObsolete(tx, bill.id);
    const reissued = await lockBill(tx, bill.serial);
    if (!reissued) throw new Error('A version was not stored');
    if (reissued.total_minor !== bill.total_minor && (await isCarriedForward(tx, bill)))
      throw new BillRefused(
        `A later bill opens with the closing balance of ${number}, which a new version would change: record the difference with simcube bills top-up`,
      );
    await publish(tx, reissued, at);
    const versions = { before: bill.total_minor, after: reissued.total_minor };
    await recordAudit(tx, {
      orgId: bill.org_id,
      actor,
      at,
      action: 'bill.reissued',
      subject: { kind: 'bill', id: number, name: number },
      before: { version: bill.version, total_minor: versions.before },
      after: {
        version: reissued.version,
        currency: reissued.currency,
        total_minor: versions.after,
        reason,
        tariff,
      },
    });
    return { version: reissued.version, ...versions, dropped };
  });

const recordsDropped = (number: string): BillRefused =>
  new BillRefused(
    `Usage or messages that ${number} charges are no longer retained: a new version would lack their charges`,
  );

const needsDroppedHours = (cycles: readonly CycleRow[], month: BillMonth, at: Date): boolean => {
  const hoursSince = retainedSince('usage_hourly', at);
  return cycles.some(
    ({ cycle_started_at, cycle_ends_at: endsAt, former_end, used_bytes, pooled, ...bundle }) =>
      used_bytes > 0 &&
      endsWithin({ endsAt }, month) &&
      !isCorrectable({ bundle, pooled, from: former_end ?? cycle_started_at }, { hoursSince }),
  );
};
