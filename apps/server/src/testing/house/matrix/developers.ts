import { endpoints } from '@simcube/contract';
import type { TestClient } from '../../app.ts';
import type { Sides, Things } from './things.ts';

/** API keys, each its account's own: one that the call removes. */
export const developerThings = async ({ stranger }: Sides): Promise<Pick<Things, 'id'>> => {
  const { createKey, removeKey } = endpoints.developer;
  const keyOf = async (client: TestClient) => (await client.call(createKey, { body: {} })).body.data?.key.id;
  const foreign = await keyOf(stranger);
  // Who may make none asks for one of another.
  return {
    id: { own: async (client, { id }) => (id === removeKey.id && (await keyOf(client))) || foreign, foreign },
  };
};
