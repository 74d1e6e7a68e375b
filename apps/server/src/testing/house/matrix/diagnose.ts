import { endpoints } from '@simcube/contract';
import type { TestClient } from '../../app.ts';
import { foreignIccid } from './sims.ts';
import type { Sides, Things } from './things.ts';

export const diagnoseThings = async (sides: Sides): Promise<Pick<Things, 'linkId' | 'shareId'>> => ({
  linkId: await linksOf(sides),
  shareId: await sharesOf(sides),
});

/** Shared reports: the id alone gives access. */
const linksOf = async ({ superadmin, stranger, sims }: Sides): Promise<Things['linkId']> => {
  const linkOf = async (by: TestClient, iccid: string) =>
    (await by.call(endpoints.diagnose.share, { body: { iccid } })).body.data.id;
  const own = await linkOf(superadmin, sims.own.iccid);
  return { own: () => own, foreign: await linkOf(stranger, foreignIccid) };
};

/** The same reports, by the id with which they are withdrawn. */
const sharesOf = async ({ superadmin, stranger, sims }: Sides): Promise<Things['shareId']> => {
  const shareOf = async (by: TestClient, iccid: string) => {
    await by.call(endpoints.diagnose.share, { body: { iccid } });
    return (await by.call(endpoints.diagnose.listLinks, { query: { iccid } })).body.data[0]?.id;
  };
  return {
    own: () => shareOf(superadmin, sims.own.iccid),
    foreign: await shareOf(stranger, foreignIccid),
  };
};
