import { session } from '../lib/session/index.ts';

/** Whether the person may see shared pools and the organisation has one, as far as this browser knows. */
export const hasSharedPools = (): boolean =>
  session.can('shared-pool-cube') && (session.get('sharedPool')?.length ?? 0) > 0;

/** What this browser knows of them is read again; without an answer it stays. Its script is fetched only then. */
export const readPoolsAgain = async (): Promise<void> => {
  if (!session.can('shared-pool-cube')) return;
  const { readSharedPools } = await import('../features/pool/commands.ts');
  await readSharedPools().catch(() => undefined);
};
