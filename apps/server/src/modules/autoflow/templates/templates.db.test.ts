import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { actorOf, callerIn, insertTestOrganisation } from '../../../testing/organisations.ts';
import { createTemplates } from './templates.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const text = { subject: 'A', text: 'B', sms: 'C' };
let database: Database;
beforeAll(async () => {
  database = await testDatabase({ max: 1 });
});
afterAll(() => database.close());

// Otherwise as many deletions as the pool has connections would wait for each other.
it('a template is deleted on one connection', async () => {
  const { pool } = database;
  const caller = await callerIn(pool, await insertTestOrganisation(pool), 'admin');
  const actor = actorOf(caller.person, 'autoflow-template.removed');
  const orderer = { ...caller, actor, language: 'en-US' } as const;
  const templates = createTemplates({ pool, clock });
  const id = await templates.create(orderer, { name: 'Gone', texts: { 'en-US': text } });
  await templates.remove(orderer, id);
  await expect(templates.get(caller.org.id, id)).rejects.toMatchObject({ code: 'CB-05-0008' });
});
