import type { SettlementTerms } from '@simcube/contract/finance';
import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type CreditLimit, lockCustomerTerms, type PayingOrg, writeTerms } from './publication.queries.ts';
import { BillRefused, type ChangedBy } from './publication.service.ts';

/**
 * Sets how a settlement customer pays from its next drafts on.
 * @param creditLimit in minor units of its currency; null removes it; omitted, it stays as long as the terms are credit
 * @returns the credit limit from then on
 * @throws BillRefused for an organisation that is not a settlement customer, and for a credit limit with other
 * terms
 */
export const setTerms = (
  pool: pg.Pool,
  code: string,
  {
    terms,
    creditLimit,
    creditCurrency,
    actor,
    at,
  }: ChangedBy & {
    terms: SettlementTerms;
    creditLimit?: number | null | undefined;
    creditCurrency?: string | undefined;
  },
): Promise<CreditLimit | null> =>
  inTransaction(pool, async (tx) => {
    if (typeof creditLimit === 'number' && terms !== 'credit')
      throw new BillRefused(`A credit limit applies only to the terms credit, not to ${terms}`);
    const org = await lockCustomerTerms(tx, code);
    if (!org) throw new BillRefused(`${code} is not a settlement customer`);
    const ordered =
      creditLimit === undefined
        ? org
        : { credit_limit_minor: creditLimit, credit_currency: creditCurrency ?? null };
    const limit = terms === 'credit' ? limitOf(ordered) : null;
    await writeTerms(tx, { orgId: org.id, terms, limit });
    await recordAudit(tx, {
      orgId: org.id,
      actor,
      at,
      action: 'bill.terms-changed',
      subject: { kind: 'organisation', id: org.code, name: org.name },
      before: org.terms === null ? null : { terms: org.terms, ...auditedLimit(limitOf(org)) },
      after: { terms, ...auditedLimit(limit) },
    });
    return limit;
  });

const limitOf = ({
  credit_limit_minor: minor,
  credit_currency: currency,
}: Pick<PayingOrg, 'credit_limit_minor' | 'credit_currency'>): CreditLimit | null =>
  minor === null ? null : { minor, currency };

const auditedLimit = (limit: CreditLimit | null) => ({
  credit_limit_minor: limit?.minor ?? null,
  ...(limit?.currency && { currency: limit.currency }),
});
