import { endpoints } from '@simcube/contract';
import type { TestClient } from '../../app.ts';
import type { References, Sides } from './references.ts';
import { foreignIccid } from './sims.ts';

export const diagnoseReferences = async (sides: Sides): Promise<Pick<References, 'linkId' | 'shareId'>> => ({
  linkId: await linksOf(sides),
  shareId: await sharesOf(sides),
});

/** Shared reports: the id alone gives access. */
const linksOf = async ({ superadmin, stranger, sims }: Sides): Promise<References['linkId']> => {
  const linkOf = async (by: TestClient, iccid: string) =>
    (await by.call(endpoints.diagnose.share, { body: { iccid } })).body.data.id;
  const own = await linkOf(superadmin, sims.own.iccid);
  return { own: () => own, foreign: await linkOf(stranger, foreignIccid) };
};

/** The same reports, by the id with which they are withdrawn. */
const sharesOf = async ({ superadmin, stranger, sims }: Sides): Promise<References['shareId']> => {
  const shareOf = async (by: TestClient, iccid: string) => {
    await by.call(endpoints.diagnose.share, { body: { iccid } });
    return (await by.call(endpoints.diagnose.listLinks, { query: { iccid } })).body.data[0]?.id;
  };
  return {
    own: () => shareOf(superadmin, sims.own.iccid),
    foreign: await shareOf(stranger, foreignIccid),
  };
};
