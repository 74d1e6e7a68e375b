import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { catalogueCommands } from './catalogue.cli.ts';

afterEach(() => vi.restoreAllMocks());

test('the JSON Schema of the catalogue needs no installation', async () => {
  const program = new Command().exitOverride();
  catalogueCommands(program, async () => {
    throw new Error('the database is away');
  });
  const print = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  await program.parseAsync(['catalogue', 'schema'], { from: 'user' });
  const { properties } = JSON.parse(String(print.mock.calls[0]?.[0]));
  expect(Object.keys(properties)).toContain('gateways');
});
