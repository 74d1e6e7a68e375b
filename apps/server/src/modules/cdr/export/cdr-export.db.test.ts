import { buffer } from 'node:stream/consumers';
import { fileFormats } from '@simcube/contract/task';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { now } from '../../../testing/cdr-arbitraries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { cdrExportWork } from './cdr-export.work.ts';

let database: Database;
let orgId: number;
const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);

beforeAll(async () => {
  database = await testDatabase();
  orgId = (await insertTestOrganisation(database.pool)).id;
});
afterAll(() => database.close());

describe('an export that the database interrupts', () => {
  beforeEach(async () => {
    process.on('uncaughtExceptionMonitor', note);
    await database.pool.query('alter table networks rename to networks_away');
  });
  afterEach(async () => {
    await database.pool.query('alter table networks_away rename to networks');
    process.off('uncaughtExceptionMonitor', note);
  });

  it.each(fileFormats)('fails without affecting anything else: %s', async (format) => {
    const order = { id: 1, orgId, userId: '', reference: '', startedAt: now, actor: null, traceId: null };
    const what = { rows: 'record', filter: {} };
    const parameters = { what, format, language: 'en-US', timeZone: 'UTC' };
    const file = cdrExportWork(database).produce({ parameters, order, now, reportRows: () => undefined });
    await expect(buffer(file)).rejects.toThrow('"networks" does not exist');
    expect(uncaught).toEqual([]);
  });
});
