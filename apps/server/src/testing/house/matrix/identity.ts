import { endpoints } from '@simcube/contract';
import type { TestApp, TestClient } from '../../app.ts';
import type { References, Sides } from './references.ts';

export const identityReferences = async (
  sides: Sides,
): Promise<Pick<References, 'userId' | 'invitationId' | 'sessionId'>> => ({
  userId: { own: (client) => client.userId, foreign: sides.stranger.userId },
  invitationId: await invitationsOf(sides),
  sessionId: { own: () => 'others', foreign: await sessionOf(sides.test, sides.stranger) },
});

/** An open invitation from the client's organisation, to an unknown address. */
const invitationsOf = async ({
  clients,
  superadmin,
  stranger,
}: Sides): Promise<References['invitationId']> => {
  const invitedBy = async (client: TestClient, name: string): Promise<string> => {
    const body = { email: `invited-${name}@example.test`, role: 'user', language: 'en-US' } as const;
    return (await client.call(endpoints.identity.invite, { body })).body.data.id;
  };
  const own = new Map<string, string>();
  for (const { userId } of clients) own.set(userId, await invitedBy(superadmin, userId));
  return { own: ({ userId }) => own.get(userId), foreign: await invitedBy(stranger, stranger.userId) };
};

const sessionOf = async ({ database }: TestApp, { userId }: TestClient): Promise<string> => {
  const { rows } = await database.pool.query('select id from user_sessions where user_id = $1', [userId]);
  return rows[0].id;
};
