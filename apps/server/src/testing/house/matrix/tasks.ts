import { endpoints, headers } from '@simcube/contract';
import { simItems } from '../../../modules/sim/index.ts';
import { startWork } from '../../../modules/task/index.ts';
import { endTask } from '../../../modules/task/task.service.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import type { TestApp, TestClient } from '../../app.ts';
import type { References, Sides } from './references.ts';

/** An ended task of each person, with its report; and the token that replaces a sign-in. */
export const taskReferences = async ({
  test,
  clients,
  stranger,
  sims,
}: Sides): Promise<Pick<References, 'taskReference' | typeof headers.oneTimeToken>> => {
  const references = new Map<string, string>();
  for (const client of [...clients, stranger]) {
    const { id, iccid } = client === stranger ? sims.foreign : sims.own;
    references.set(client.userId, await endedTask(test, client, { id, iccid }));
  }
  const tokenOf = async (client: TestClient): Promise<string> => {
    const query = { taskReference: references.get(client.userId) ?? '' };
    return (await client.call(endpoints.task.makeDownloadToken, { query })).body.data.token;
  };
  return {
    taskReference: { own: ({ userId }) => references.get(userId), foreign: references.get(stranger.userId) },
    [headers.oneTimeToken]: { own: tokenOf, foreign: await tokenOf(stranger) },
  };
};

const endedTask = (
  test: TestApp,
  { orgId, userId }: TestClient,
  { id, iccid }: { id: number; iccid: string },
): Promise<string> =>
  inTransaction(test.database.pool, async (tx) => {
    const at = test.clock.now();
    const { reference_id: reference } = await startWork(tx, {
      orgId,
      userId,
      actor: { kind: 'person', id: null, name: 'A', address: null, traceId: null, action: undefined },
      type: 'sim-suspend',
      remark: null,
      parameters: {},
      at,
      kind: simItems,
      // No item is pending, so that other orders for the SIM are accepted.
      items: [{ ref: id, label: iccid, refused: 'CB-01-0015' }],
      access: null,
    });
    await endTask(tx, { id: Number(reference.slice(1)), status: 'issues', result: null, at });
    return reference;
  });
