import { type EndpointShape, endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { insertView } from '../../../modules/sim/saved-views/saved-views.queries.ts';
import { insertUpload, type UploadKind } from '../../../modules/sim/uploads/uploads.queries.ts';
import { markSuspended } from '../../../modules/sms/sending/suspend.queries.ts';
import type { TestClient } from '../../app.ts';
import { assignMsisdn, makeSim } from '../../inventory.ts';
import { orderSharedBundle } from './pools.ts';
import type { References, Sides } from './references.ts';

export const foreignIccid = '89860099900000000001';
export const foreignImsi = '460009990000001';

export const simReferences = async (
  sides: Sides,
): Promise<Pick<References, 'iccid' | 'selection' | 'file' | 'upload_id' | 'viewId' | 'view_ids'>> => ({
  iccid: { own: () => sides.sims.own.iccid, foreign: foreignIccid },
  selection: {
    // A transfer takes a file or a selection; here it takes the file.
    own: async (_, endpoint) =>
      endpoint === endpoints.sim.transfer ? undefined : { iccids: [await freshSim(sides, endpoint)] },
    foreign: { iccids: [foreignIccid] },
  },
  file: {
    own: async (_, endpoint) => csvOf(endpoint, await freshSim(sides, endpoint)),
    foreign: (endpoint: EndpointShape) => csvOf(endpoint, foreignIccid),
  },
  upload_id: {
    own: (client, endpoint) => uploadOf(sides, client, endpoint),
    foreign: await uploadOf(sides, sides.stranger, endpoints.sim.transfer),
  },
  viewId: { own: (client) => viewOf(sides, client), foreign: await viewOf(sides, sides.stranger) },
  view_ids: {
    own: async (client) => [await viewOf(sides, client)],
    foreign: [await viewOf(sides, sides.stranger)],
  },
});

/**
 * Own SIMs that an operation can work on: a new one each time, because work on a SIM excludes further work
 * until it ends.
 */
const freshSim = async ({ test, own }: Sides, { id }: EndpointShape): Promise<string> => {
  const lifecycles = new Map([
    ['bundle.activate', 'pre-activated'],
    ['bundle.previewActivation', 'pre-activated'],
    ['sim.resume', 'paused'],
  ] as const);
  const lifecycle = [...lifecycles].find(([call]) => call === id)?.[1] ?? 'active';
  const { pool } = test.database;
  const sim = await makeSim(pool, own.id, { lifecycle });
  if (id === 'sms.send') await assignMsisdn(pool, sim.id);
  if (id === 'sms.resumeMt') await markSuspended(pool, { simIds: [sim.id], isSuspended: true });
  if (id === 'pool.enrol' || id === 'pool.exit') await orderSharedBundle(test, own, sim, id === 'pool.exit');
  return sim.iccid;
};

const csvOf = ({ id }: EndpointShape, iccid: string): string =>
  id === 'sim.parseInfo'
    ? `ICCID,Notes\r\n${iccid},a note\r\n`
    : `ICCID,IMEI\r\n${iccid},356938035643809\r\n`;

/** An uploaded file of the person. */
const uploadOf = async (sides: Sides, client: TestClient, endpoint: EndpointShape): Promise<string> => {
  const { test, beside, stranger } = sides;
  const kind: UploadKind = endpoint.id === 'sim.updateInfo' ? 'info' : 'transfer';
  const iccid = client === stranger ? foreignIccid : await freshSim(sides, endpoint);
  const at = test.clock.now();
  return insertUpload(test.database.pool, {
    orgId: client.orgId,
    userId: client.userId,
    kind,
    name: 'sims.csv',
    rows: [kind === 'info' ? [iccid, { notes: 'a note' }, []] : [iccid, []]],
    facts: kind === 'info' ? {} : { target: beside.code },
    at,
    expiresAt: new Date(at.getTime() + hourMs),
  });
};

let views = 0;
const viewOf = ({ test }: Sides, { orgId, userId }: TestClient): Promise<string> => {
  views += 1;
  const view = { name: `View ${views}`, filter: {}, sort: null, at: test.clock.now() };
  return insertView(test.database.pool, { orgId, userId }, view);
};
