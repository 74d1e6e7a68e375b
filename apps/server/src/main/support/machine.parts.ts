import { open } from 'node:fs/promises';
import {
  arch,
  availableParallelism,
  cpus,
  freemem,
  loadavg,
  platform,
  release,
  totalmem,
  uptime,
} from 'node:os';
import { createOutbound } from '../../platform/outbound/index.ts';
import { examine } from '../doctor/doctor.service.ts';
import { version } from '../version.ts';
import { safeLines } from './log-lines.rules.ts';
import { safeMetrics } from './metrics.rules.ts';
import { NotThere, type Part } from './part.ts';

const machine: Part = {
  name: 'machine.json',
  holds: 'versions of SimCube and Node.js; operating system, processors, memory and disk of this machine',
  needsDatabase: false,
  read: async ({ env, clock, readDisk }) => ({
    madeAt: clock.now(),
    simcube: version,
    node: process.versions.node,
    system: { platform: platform(), release: release(), architecture: arch(), uptimeSeconds: uptime() },
    processors: { count: availableParallelism(), model: cpus()[0]?.model ?? null, load: loadavg() },
    memory: { totalBytes: totalmem(), freeBytes: freemem() },
    // Without a data directory everything is in the database of DATABASE_URL.
    disk: await readDisk(env.dataDir).catch(() => null),
  }),
};

const settings: Part = {
  name: 'settings.json',
  holds:
    'every setting, and whether it is set; its value only if that cannot be a secret, a person’s address or a directory',
  needsDatabase: false,
  read: async ({ env }) => env.settings,
};

const doctor: Part = {
  name: 'doctor.json',
  holds: 'output of `simcube doctor`, including names of gateways and SMSCs',
  needsDatabase: false,
  read: examine,
};

const metrics: Part = {
  name: 'metrics.txt',
  holds: 'metrics of the processes that respond on the management ports of this machine',
  needsDatabase: false,
  read: async ({ env }) => {
    const found = (
      await Promise.all(env.management.ports.map((port) => readMetrics(env.management.host, port)))
    ).filter((text) => text !== undefined);
    if (found.length === 0)
      throw new NotThere(`no process responds on the management ports (${env.management.ports.join(', ')})`);
    return found.join('\n');
  },
};

/** Reaches the installation's own address, wherever it is. */
const askOwn = createOutbound({ allowedNetworks: ['0.0.0.0/0', '::/0'] });
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const readMetrics = async (listens: string, port: number): Promise<string | undefined> => {
  const host = everywhere[listens] ?? listens;
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`);
  try {
    const { status, body } = await askOwn({ url, timeoutMs: 3_000, maxBytes: 4 * 2 ** 20 });
    const text = safeMetrics(body.toString());
    return status === 200 && text !== '' ? `# the process on port ${port}\n${text}` : undefined;
  } catch {
    return undefined;
  }
};

const logOctets = 2 * 2 ** 20;
const logLines = 2000;

const log: Part = {
  name: 'log.jsonl',
  holds: `last ${logLines} records of the log named by \`--log\`: time, level, message, and code and location of an error; no other fields`,
  needsDatabase: false,
  read: async ({ logFile }) => {
    if (logFile === undefined)
      throw new NotThere('the log is written to standard output; name a file with --log FILE');
    const read = await lastLines(logFile).catch((error: NodeJS.ErrnoException) => {
      throw new NotThere(`the file named by --log can't be read (${error.code ?? 'unknown'})`);
    });
    const { lines, leftOut } = safeLines(read.slice(-logLines));
    return [...lines, JSON.stringify({ leftOut, reason: 'not a record' })].join('\n');
  },
};

/** The end of a file, from the first complete line. */
const lastLines = async (path: string): Promise<string[]> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - logOctets);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.slice(from > 0 ? 1 : 0).filter((line) => line.trim() !== '');
  } finally {
    await file.close();
  }
};

export const machineParts: readonly Part[] = [machine, settings, doctor, metrics, log];
