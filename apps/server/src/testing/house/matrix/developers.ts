import { endpoints } from '@simcube/contract';
import type { TestClient } from '../../app.ts';
import type { References, Sides } from './references.ts';

/** API keys, each of its own account; the call may remove them. */
export const developerReferences = async ({ stranger }: Sides): Promise<Pick<References, 'id'>> => {
  const { createKey, removeKey } = endpoints.developer;
  const keyOf = async (client: TestClient) => (await client.call(createKey, { body: {} })).body.data?.key.id;
  const foreign = await keyOf(stranger);
  // A person who may create none uses another person's id.
  return {
    id: { own: async (client, { id }) => (id === removeKey.id && (await keyOf(client))) || foreign, foreign },
  };
};
