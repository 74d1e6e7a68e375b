import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endpoints } from '@simcube/contract';
import { expect, it, onTestFinished } from 'vitest';
import { freeTcpPort } from '../../testing/free-ports.ts';
import { buildRecipe } from '../../testing/recipes.ts';
import {
  accountParams,
  emitFact,
  listNotifications,
  makeDeveloper,
  startDelivery,
  useWebhookWorld,
  world,
} from '../../testing/webhook-world.ts';

useWebhookWorld();

/** The receiver of docs/recipes.md, with the lines that it prints. */
const startReceiver = async (env: { SECRET: string; PORT: string }): Promise<string[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-receiver-'));
  const program = await buildRecipe('Receiving webhooks', directory);
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill();
    await rm(directory, { recursive: true });
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await expect.poll(() => lines, { timeout: 10_000 }).toEqual([`Listening on ${env.PORT}`]);
  lines.length = 0;
  return lines;
};

it('the receiver of the recipes accepts what is sent, and refuses what another key signed', async () => {
  world.test.clock.set(new Date());
  const port = String(await freeTcpPort());
  const client = await makeDeveloper({
    types: ['sim.lifecycle-changed'],
    url: `http://127.0.0.1:${port}/`,
  });
  const { webhook: calls } = endpoints;
  const { key } = (await client.call(calls.key, accountParams(client))).body.data;
  const lines = await startReceiver({ SECRET: key ?? '', PORT: port });
  await startDelivery();
  await client.call(calls.test, accountParams(client));
  await expect.poll(() => lines).toEqual(['It works']);
  await emitFact('sim.lifecycle-changed');
  await expect.poll(() => lines[1]).toMatch(/^\d{20} is now paused$/);
  // The former key signs too, but not the one before it.
  for (let renewed = 0; renewed < 2; renewed += 1) await client.call(calls.renewKey, accountParams(client));
  await client.call(calls.test, accountParams(client));
  await expect.poll(async () => (await listNotifications(client))[0]?.status).toBe(401);
  expect(lines).toHaveLength(2);
});
