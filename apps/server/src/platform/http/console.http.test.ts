import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testGateway } from '../../testing/gateway.ts';

const script = "document.documentElement.dataset.theme = 'dark';\n";
const page = `<!doctype html><title>SimCube</title><script>${script}</script><script type="module" src="/main.js"></script>`;

let directory: string;
let app: FastifyInstance;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-console-'));
  await writeFile(join(directory, 'index.html'), page);
  app = await testGateway({ routes: [], webDir: directory });
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

test('of scripts that stand in a page, those of the start page alone may run', async () => {
  const { headers, body } = await app.inject({ url: '/en-US/analysis' });
  expect(body).toBe(page);
  const scripts = /script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]?.split(' ');
  expect(scripts).toEqual(["'self'", `'sha256-${createHash('sha256').update(script).digest('base64')}'`]);
});
