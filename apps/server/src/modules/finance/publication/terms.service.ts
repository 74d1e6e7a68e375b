import type { SettlementTerms } from '@simcube/contract/finance';
import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockCustomerTerms, writeTerms } from './publication.queries.ts';
import { BillRefused, type ChangedBy } from './publication.service.ts';

/**
 * Sets how a settlement customer pays from its next drafts on.
 * @param creditLimit null removes it; omitted, it stays as long as the terms are credit
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
    actor,
    at,
  }: ChangedBy & { terms: SettlementTerms; creditLimit?: number | null | undefined },
): Promise<number | null> =>
  inTransaction(pool, async (tx) => {
    if (typeof creditLimit === 'number' && terms !== 'credit')
      throw new BillRefused(`A credit limit applies only to the terms credit, not to ${terms}`);
    const org = await lockCustomerTerms(tx, code);
    if (!org) throw new BillRefused(`${code} is not a settlement customer`);
    const limit =
      terms !== 'credit' ? null : creditLimit === undefined ? org.credit_limit_minor : creditLimit;
    await writeTerms(tx, { orgId: org.id, terms, creditLimit: limit });
    await recordAudit(tx, {
      ...{ orgId: org.id, actor, at, action: 'bill.terms-changed' },
      subject: { kind: 'organisation', id: org.code, name: org.name },
      before: org.terms === null ? null : { terms: org.terms, credit_limit_minor: org.credit_limit_minor },
      after: { terms, credit_limit_minor: limit },
    });
    return limit;
  });
