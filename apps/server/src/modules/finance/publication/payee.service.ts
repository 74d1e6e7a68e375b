import { isDeepStrictEqual } from 'node:util';
import type { Payee } from '@simcube/contract/finance';
import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { writePayee } from './payee.queries.ts';
import { findPayee } from './payee.views.ts';
import type { ChangedBy } from './publication.service.ts';

/** Sets the payee of bills issued from then on. Setting the same one again changes nothing. */
export const setPayee = (pool: pg.Pool, payee: Payee, { actor, at }: ChangedBy): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const before = await findPayee(tx);
    if (isDeepStrictEqual(before, payee)) return;
    await writePayee(tx, payee);
    await recordAudit(tx, {
      orgId: null,
      actor,
      at,
      action: 'bill.payee-changed',
      subject: { kind: 'installation', id: 'payee', name: payee.name },
      before,
      after: payee,
    });
  });
