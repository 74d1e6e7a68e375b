import { limits } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { insertSecret } from './targets.queries.ts';
import { newSecret } from './webhook-signing.ts';

/**
 * Gives a target a new secret; the previous one also signs for a day.
 * @returns it in plain text, for the response that shows it
 */
export const issueSecret = async (
  tx: Sql,
  { targetId, vault, at }: { targetId: number; vault: Vault; at: Date },
): Promise<string> => {
  const formerUntil = new Date(at.getTime() + limits.notifications.formerSecretHours * hourMs);
  const secret = newSecret();
  await insertSecret(tx, { targetId, sealed: vault.seal(secret), at, formerUntil });
  return secret;
};
