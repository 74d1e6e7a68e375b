import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScenario, ScenarioError } from './scenario.ts';

const folder = fileURLToPath(new URL('../scenarios/', import.meta.url));
const files = readdirSync(folder);

describe('scenarios', () => {
  it.each(files)('%s is valid and named like its file', async (file) => {
    const scenario = await readScenario(join(folder, file));
    expect(`${scenario.name}.json`).toBe(file);
    expect(scenario.description).not.toBe('');
  });

  it('include the documented ones', () => {
    expect(files).toEqual(
      expect.arrayContaining(['demo.json', 'outage.json', 'quiet.json', 'roaming-storm.json']),
    );
  });

  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'simcube-scenario-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['no JSON', '{'],
    ['an unknown field', '{"nam": "x"}'],
    ['a number out of range', '{"speed": -1}'],
  ])('are rejected with %s', async (_, text) => {
    const path = join(directory, 'bad.json');
    await writeFile(path, text);
    await expect(readScenario(path)).rejects.toThrow(ScenarioError);
  });
});
