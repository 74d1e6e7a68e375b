import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { importRecords } from '../../cdrs.ts';
import type { References, Sides } from './references.ts';

/** A usage record on each side, by its id. */
export const cdrReferences = async ({
  test,
  own,
  foreign,
  superadmin,
  stranger,
  sims,
}: Sides): Promise<Pick<References, 'recordId' | 'records'>> => {
  const at = new Date(test.clock.now().getTime() - hourMs).toISOString();
  await importRecords(
    test,
    [sims.own, sims.foreign].map(({ iccid }) => ({ iccid, ended_at: at })),
  );
  const idOf = async (client: typeof superadmin, partnerCode: string): Promise<string> => {
    const { body } = await client.call(endpoints.cdr.list, { params: { partnerCode }, body: {} });
    return body.data[0]?.id ?? '';
  };
  const ids = { own: await idOf(superadmin, own.code), foreign: await idOf(stranger, foreign.code) };
  return {
    recordId: { own: () => ids.own, foreign: ids.foreign },
    records: { own: () => [ids.own], foreign: [ids.foreign] },
  };
};
