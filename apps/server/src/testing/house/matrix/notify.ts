import { endpoints } from '@simcube/contract';
import type { Sides, Things } from './things.ts';

/** Address groups: those of phones are others than those of people. */
export const notifyThings = async ({ superadmin, stranger }: Sides): Promise<Pick<Things, 'groupId'>> => {
  const people = { name: 'People', emails: ['people@example.test'] };
  const phones = { name: 'Phones', phones: ['4915112345678'] };
  const own = {
    people: (await superadmin.call(endpoints.notify.createGroup, { body: people })).body.data.id,
    phones: (await superadmin.call(endpoints.notify.createSmsGroup, { body: phones })).body.data.id,
  };
  const foreign = (await stranger.call(endpoints.notify.createGroup, { body: people })).body.data.id;
  return {
    groupId: {
      own: (_, { id }) => (id === 'notify.updateSmsGroup' ? own.phones : own.people),
      foreign,
    },
  };
};
