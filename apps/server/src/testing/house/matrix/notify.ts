import { endpoints } from '@simcube/contract';
import type { References, Sides } from './references.ts';

const ofApi = new Set(['notify.updateApiTarget', 'notify.renewSecret', 'notify.resumeTarget']);

/** Targets, one of each kind: calls of one kind do not find those of another. */
export const notifyReferences = async ({
  test,
  superadmin,
  stranger,
}: Sides): Promise<Pick<References, 'groupId' | 'deliveryId'>> => {
  const { notify: calls } = endpoints;
  const people = { name: 'People', emails: ['people@example.test'] };
  const phones = { name: 'Phones', phones: ['4915112345678'] };
  const program = { name: 'Program', url: 'https://hooks.example.test/' };
  const own = {
    people: (await superadmin.call(calls.createGroup, { body: people })).body.data.id,
    phones: (await superadmin.call(calls.createSmsGroup, { body: phones })).body.data.id,
    api: (await superadmin.call(calls.createApiTarget, { body: program })).body.data.target.id,
  };
  const foreign = (await stranger.call(calls.createGroup, { body: people })).body.data.id;
  const deliveryOf = async (client: typeof superadmin, groupId: string) => {
    await client.call(calls.tryTarget, { params: { groupId } });
    return (await client.call(calls.listDeliveries, { params: { groupId } })).body.data[0]?.id;
  };
  let spares = 0;
  /** A separate target that a call may remove or test. */
  const spare = async () => {
    spares += 1;
    const { rows } = await test.database.pool.query<{ id: number }>(
      `insert into notification_targets (org_id, kind, name, addresses)
       values ($1, 'email', $2, '{a@example.test}') returning id`,
      [superadmin.orgId, `Spare ${spares}`],
    );
    return String(rows[0]?.id);
  };
  return {
    groupId: {
      own: (_, { id }) => {
        if (id === 'notify.removeTarget' || id === 'notify.tryTarget') return spare();
        if (ofApi.has(id)) return own.api;
        return id === 'notify.updateSmsGroup' ? own.phones : own.people;
      },
      foreign,
    },
    deliveryId: {
      own: await deliveryOf(superadmin, own.people).then((id) => () => id),
      foreign: await deliveryOf(stranger, foreign),
    },
  };
};
