import { makeBill } from '../../bills.ts';
import type { References, Sides } from './references.ts';

/** A bill of each side, with its SIM. */
export const billReferences = async ({
  test,
  own,
  foreign,
  sims,
}: Sides): Promise<Pick<References, 'billId'>> => {
  const { pool } = test.database;
  const ownId = await makeBill(pool, { orgId: own.id, simIds: [sims.own.id] });
  const foreignId = await makeBill(pool, { orgId: foreign.id, simIds: [sims.foreign.id] });
  return { billId: { own: () => String(ownId), foreign: String(foreignId) } };
};
