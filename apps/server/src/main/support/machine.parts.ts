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
import type { Readable } from 'node:stream';
import { createOutbound } from '../../platform/outbound/index.ts';
import { runChecks } from '../doctor/doctor.service.ts';
import { version } from '../version.ts';
import { safeLines } from './log-lines.rules.ts';
import { safeMetrics } from './metrics.rules.ts';
import { directoryNames, type Part, PartUnavailable } from './part.ts';

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
  read: runChecks,
};

const metrics: Part = {
  name: 'metrics.txt',
  holds: 'metrics of the processes that respond on the management ports of this machine',
  needsDatabase: false,
  read: async ({ env }) => {
    const metricsTexts = (
      await Promise.all(env.management.ports.map((port) => readMetrics(env.management.host, port)))
    ).filter((text) => text !== undefined);
    if (metricsTexts.length === 0)
      throw new PartUnavailable(
        `no process responds on the management ports (${env.management.ports.join(', ')})`,
      );
    return metricsTexts.join('\n');
  },
};

/** Reaches the installation's own address, wherever it is. */
const requestOwn = createOutbound({ allowedNetworks: ['0.0.0.0/0', '::/0'] });
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const readMetrics = async (listenHost: string, port: number): Promise<string | undefined> => {
  const host = loopbackOf[listenHost] ?? listenHost;
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`);
  try {
    const { status, body } = await requestOwn({ url, timeoutMs: 3_000, maxBytes: 4 * 2 ** 20 });
    const text = safeMetrics(body.toString());
    return status === 200 && text !== '' ? `# the process on port ${port}\n${text}` : undefined;
  } catch {
    return undefined;
  }
};

const maxLogBytes = 2 * 2 ** 20;
const maxLogLines = 2000;

const log: Part = {
  name: 'log.jsonl',
  holds: `last ${maxLogLines} records of the log named by \`--log\`: time, level, message, and code and location of an error; no other fields`,
  needsDatabase: false,
  read: async (bundle) => {
    const { log: source } = bundle;
    if (source === undefined)
      throw new PartUnavailable('the log is written to standard output; name a file with --log FILE');
    const reading = typeof source === 'string' ? endOfFile(source) : endOfStream(source);
    const end = await reading.catch((error: NodeJS.ErrnoException) => {
      throw new PartUnavailable(`the log named by --log can't be read (${error.code ?? 'unknown'})`);
    });
    const read = completeLines(end);
    const { lines, leftOut } = safeLines(read.slice(-maxLogLines), directoryNames(bundle));
    return [...lines, JSON.stringify({ leftOut, reason: 'not a record' })].join('\n');
  },
};

/** The last bytes of a log. */
interface LogEnd {
  bytes: Buffer;
  /** Whether something was before them. */
  isCut: boolean;
}

const endOfFile = async (path: string): Promise<LogEnd> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - maxLogBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    return { bytes: buffer.subarray(0, bytesRead), isCut: from > 0 };
  } finally {
    await file.close();
  }
};

/** Keeps no more than it returns, and one chunk. */
const endOfStream = async (stream: Readable): Promise<LogEnd> => {
  const chunks: Buffer[] = [];
  let kept = 0;
  let isCut = false;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    kept += bytes.length;
    for (let [first] = chunks; first && kept - first.length >= maxLogBytes; [first] = chunks) {
      kept -= first.length;
      isCut = true;
      chunks.shift();
    }
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(-maxLogBytes), isCut: isCut || bytes.length > maxLogBytes };
};

const completeLines = ({ bytes, isCut }: LogEnd): string[] =>
  bytes
    .toString()
    .split('\n')
    .slice(isCut ? 1 : 0)
    .filter((line) => line.trim() !== '');

export const machineParts: readonly Part[] = [machine, settings, doctor, metrics, log];
