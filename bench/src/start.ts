import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@simcube/contract';
import { signIn } from './console-client.ts';
import { startDemonstration } from './demonstration.ts';
import { radiusSecret } from './fleet.ts';
import { proportionalBytesOf, residentBytesOf } from './processes.ts';
import { projectRoot, startProduct } from './product.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

const budgets = { startSeconds: 5, idleBytes: 300_000_000, scriptBytes: 200_000 };
const firstStartMs = 600_000;
const warmStartMs = 120_000;
/** Time after which the server has completed its work after the start. */
const idleAfterMs = 20_000;

/** Start of the console: size of its script, start time of the product, and memory while idle. */
export const start = async (run: Run): Promise<void> => {
  await scriptBeforeSignIn(run);
  await warmStart(run);
  await idleMemory(run);
};

interface ManifestEntry {
  file: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
}

/** The entry, the sign-in screens, all their imports, and the largest language. */
const scriptBeforeSignIn = async (run: Run): Promise<void> => {
  const dist = join(projectRoot, 'apps/web/dist');
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    await readFile(join(dist, '.vite/manifest.json'), 'utf8'),
  );
  const files = new Set<string>();
  const addEntry = (key: string): void => {
    const entry = manifest[key];
    if (!entry || files.has(entry.file)) return;
    files.add(entry.file);
    for (const imported of entry.imports ?? []) addEntry(imported);
  };
  const keysEndingWith = (suffix: string) => Object.keys(manifest).filter((key) => key.endsWith(suffix));
  for (const [key, entry] of Object.entries(manifest)) if (entry.isEntry) addEntry(key);
  for (const key of keysEndingWith('features/identity/index.ts')) addEntry(key);
  const bytes = async (suffix: string): Promise<number> => {
    // Small files are sent uncompressed.
    const sizeOf = async (file: string) =>
      (await stat(join(dist, `${file}${suffix}`)).catch(() => stat(join(dist, file)))).size;
    const own = await Promise.all([...files].filter((file) => file.endsWith('.js')).map(sizeOf));
    const languages = Object.entries(manifest).filter(([key]) =>
      /phrases\/src\/[a-z]{2}-[A-Z]{2}\/public/.test(key),
    );
    const texts = await Promise.all(languages.map(([, { file }]) => sizeOf(file)));
    return own.reduce((sum, size) => sum + size, Math.max(0, ...texts));
  };
  const measured = await bytes('.gz');
  run.add({
    what: 'script before sign-in, gzip',
    measured: measured / 1000,
    unit: 'kB',
    budget: `${budgets.scriptBytes / 1000} kB`,
    met: measured <= budgets.scriptBytes,
    details: { 'brotli kB': (await bytes('.br')) / 1000 },
  });
};

/** `npm start` on a clone that is installed, built and seeded, until the first page and its calls respond. */
const warmStart = async (run: Run): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-bench-start-'));
  await chmod(directory, 0o755);
  try {
    run.progress('first start, which makes the demonstration');
    const first = await startOnce(directory, firstStartMs);
    const seconds: number[] = [];
    for (let round = 0; round < run.options.rounds; round += 1) {
      run.progress(`warm start ${round + 1}`);
      seconds.push((await startOnce(directory, warmStartMs)) / 1000);
    }
    const measured = median(seconds);
    run.add({
      what: 'warm npm start to first page',
      measured,
      unit: 's',
      budget: `${budgets.startSeconds} s`,
      met: measured <= budgets.startSeconds,
      details: { 'slowest s': Math.max(...seconds), 'first start, seeding included, s': first / 1000 },
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** @returns milliseconds from the command to the page */
const startOnce = async (dataDir: string, timeoutMs: number): Promise<number> => {
  const begin = performance.now();
  const demonstration = await startDemonstration({ dataDir, timeoutMs });
  const milliseconds = performance.now() - begin;
  await demonstration.stop();
  return milliseconds;
};

const idleMemory = async (run: Run): Promise<void> => {
  const { fleet, cluster } = await run.bigFleet();
  run.progress('idle server');
  const product = await startProduct({
    ...fleet,
    dataDir: join(fleet.dataDir, 'idle'),
    roles: 'web,worker,aaa',
    radiusSecret,
  });
  try {
    const client = await signIn(product, fleet);
    for (let index = 0; index < 20; index += 1) await client.call(endpoints.sim.list, { body: {} });
    await sleep(idleAfterMs);
    const measured = residentBytesOf(product.pid);
    run.add({
      what: `idle server, ${run.options.sims.toLocaleString('en-US')} SIMs, resident`,
      measured: measured / 1e6,
      unit: 'MB',
      budget: `${budgets.idleBytes / 1e6} MB`,
      met: measured <= budgets.idleBytes,
    });
    run.add({
      what: 'its database, all processes',
      measured: proportionalBytesOf(cluster.postmaster()) / 1e6,
      unit: 'MB',
    });
    run.note(
      'The server is measured with all roles in one process, after a sign-in, 20 lists and 20 idle seconds; its ' +
        'database, mostly page cache shared with the disk, is reported for information and has no budget.',
    );
  } finally {
    await product.stop();
  }
};
