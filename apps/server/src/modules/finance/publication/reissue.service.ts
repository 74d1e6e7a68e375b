import type pg from 'pg';
import { inSnapshot, inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { billMonth } from '../bill.rules.ts';
import { createLineBook } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import { chargeSims } from '../charges/section-charges.service.ts';
import { findCustomer, listSections } from '../customers.views.ts';
import { insertBill, sumSims, writeCharges, writeCycles, writeLines } from '../drafts/drafts.queries.ts';
import {
  copyCorrections,
  copyTerms,
  findTariff,
  isCorrected,
  lockBill,
  markObsolete,
  sumLines,
} from './publication.queries.ts';
import { BillRefused, type ChangedBy, lockByNumber, publish } from './publication.service.ts';

/**
 * Replaces a published bill by a new version, computed from current data and, if a tariff is given, by that
 * one. Both versions exist from then on, the previous one as obsolete; payments count for the new one.
 * @throws BillRefused if the bill can't be replaced
 */
export const reissueBill = (
  pool: pg.Pool,
  number: string,
  { reason, tariff, actor, at }: ChangedBy & { reason: string; tariff: string | null },
): Promise<{ version: number; before: number; after: number }> =>
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
      for (const orgId of await listSections(snapshot, customer.id)) {
        const section = {
          orgId,
          customerId: customer.id,
          month: billMonth(bill.month),
          terms,
          tariffId,
          currency,
          source: 'counters',
        } as const;
        for await (const batch of chargeSims(snapshot, book, section, { corrects: false })) {
          const charges = batch.charges.filter((charge) => isSameBill(charge.bill));
          await writeCharges(tx, charges, () => id);
          if (type !== 'advance') await writeCycles(tx, key, { orgId, cycles: batch.cycles });
        }
        await chargePools(snapshot, book, { section, corrects: false });
      }
    });
    const lines = book.bills().find(isSameBill)?.lines ?? [];
    await writeLines(tx, id, lines);
    await copyCorrections(tx, { from: bill.id, to: id, after: lines.length });
    await sumSims(tx, id);
    await sumLines(tx, id);
    await copyTerms(tx, { from: bill.id, to: id });
    await markObsolete(tx, bill.id);
    const reissued = await lockBill(tx, bill.serial);
    if (!reissued) throw new Error('A version was not stored');
    await publish(tx, reissued, at);
    const versions = { before: bill.total_minor, after: reissued.total_minor };
    await recordAudit(tx, {
      ...{ orgId: bill.org_id, actor, at, action: 'bill.reissued' },
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
    return { version: reissued.version, ...versions };
  });
