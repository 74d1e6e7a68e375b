import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/app.ts';
import { commandLine } from '../../testing/command-line.ts';

let test: TestApp;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  simcube = commandLine(test, tmpdir());
  await test.database.pool.query(
    `insert into tariffs (code, name, currency)
     select 'tariff-' || lpad(n::text, 4, '0'), 'Tariff ' || n, 'EUR' from generate_series(1, 1001) as n`,
  );
});
afterAll(() => test.close());

describe('prices show', () => {
  it('finds a tariff beyond those that are listed, and reports an unknown one', async () => {
    const { out, failed } = await simcube.run(['prices', 'show', 'tariff-1001']);
    expect([out.trim(), failed]).toEqual(['tariff-1001\tTariff 1001\tEUR', false]);
    const none = await simcube.run(['prices', 'show', 'tariff-1002']);
    expect(none).toMatchObject({ failed: true, errors: expect.stringContaining('no tariff tariff-1002') });
  });
});
