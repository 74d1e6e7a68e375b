import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { issueSentences } from '../../../platform/cli/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { keyRingOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { operatorActor } from '../../audit/index.ts';
import { gatewayCatalogue } from './gateways.catalogue.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const part = gatewayCatalogue({
  vault: keyRingOf(Buffer.alloc(32, 7)),
  readReference: async () => 'a shared secret',
});

/** The file's gateways by name, with their networks. */
const entriesOf = (networks: Record<string, string>) =>
  z
    .array(part.entry)
    .parse(Object.entries(networks).map(([name, network]) => ({ name, network, secret: { env: 'SECRET' } })));

const apply = (networks: Record<string, string>) =>
  inTransaction(database.pool, (tx) =>
    part.apply(tx, entriesOf(networks), { actor: operatorActor(), at: new Date() }),
  );

it('a catalogue refuses a network that belongs to another gateway, in any notation, and names that gateway', async () => {
  await apply({ oslo: '203.0.113.7' });
  const changes = await apply({ bern: '203.0.113.7/32', kyiv: '2001:db8::/32', rome: '2001:DB8::/32' });
  expect(changes.map(({ code, change, details }) => [code, change, ...details])).toEqual([
    ['bern', 'refused', 'its network belongs to gateway oslo'],
    ['kyiv', 'made'],
    ['rome', 'refused', 'its network belongs to gateway kyiv'],
  ]);
});

it('a network with bits after its prefix is refused', () => {
  expect(() => entriesOf({ bern: '203.0.113.7/24' })).toThrow('bits behind its prefix');
});

it('an interval of interim updates below 60 seconds is refused, in words', () => {
  const parse = (interim_seconds: number) =>
    part.entry.safeParse({ name: 'bern', network: '203.0.113.7', interim_seconds });
  expect(parse(60).success).toBe(true);
  const { error } = parse(59);
  expect(error && issueSentences(error)).toEqual(['interim_seconds: Must be at least 60.']);
});
