import { expect, it } from 'vitest';
import { UnusableSettings } from '../env/index.ts';
import type { Sql } from './pool.ts';
import { requireSupportedVersion } from './version.ts';

const server = (version: number, shown: string) =>
  ({ query: async () => ({ rows: [{ version, shown }] }) }) as unknown as Sql;

it('PostgreSQL before 15 is rejected, 15 is accepted', async () => {
  const refused = requireSupportedVersion(server(140_013, '14.13'));
  await expect(refused).rejects.toThrow(UnusableSettings);
  await expect(refused).rejects.toThrow('PostgreSQL 14.13 is too old');
  await expect(requireSupportedVersion(server(150_000, '15.0'))).resolves.toBeUndefined();
});
