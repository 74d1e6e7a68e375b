import { endpoints } from '@simcube/contract';
import { call } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';

/**
 * Reads which shared pools the organisation has and stores their ids for menu and guards: the operator made one, the person
 * may see them now, or another organisation was chosen.
 */
export const readSharedPools = async (): Promise<void> => {
  const organisation = session.currentMembership();
  if (!organisation) return;
  const { data } = await call(endpoints.pool.listOfOrganisation, {
    params: { orgCode: organisation.code },
    announce: false,
  });
  // Another organisation was chosen meanwhile, in this tab or another one.
  if (session.get('partnerCode') !== organisation.code) return;
  const ids = data.map(({ id }) => id);
  if (ids.join() !== session.get('sharedPool')?.join()) session.set('sharedPool', ids);
};
