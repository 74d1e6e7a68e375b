import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { writeCsv } from '@simcube/network-sim';
import type { DemoSim } from './demo-plan.ts';

export interface DemoFiles {
  directory: string;
  secretFile: string;
  smscSecretFile: string;
  devicesFile: string;
  historyFile: string;
}

export const demoFiles = (dataDir: string): DemoFiles => {
  const directory = join(dataDir, 'demo');
  return {
    directory,
    secretFile: join(directory, 'radius-secret'),
    smscSecretFile: join(directory, 'smsc-secret'),
    devicesFile: join(directory, 'devices.csv'),
    historyFile: join(directory, 'history.csv'),
  };
};

/** The RADIUS secret of simulator and server. */
export const ensureSecret = ({ secretFile }: DemoFiles): Promise<string> =>
  ensureSecretFile(secretFile, () => randomBytes(24).toString('hex'));

/** Created once, readable by its owner only. */
export const ensureSecretFile = async (secretFile: string, make: () => string): Promise<string> => {
  await mkdir(dirname(secretFile), { recursive: true });
  try {
    await writeFile(secretFile, make(), { flag: 'wx', mode: 0o600 });
    await chmod(secretFile, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(secretFile, 'utf8')).trim();
};

/** Some devices with SIMs that are not in use still try to connect: this many are rejected. */
const rejectedDevices = 60;

/** The simulator's devices: those in use, and some that will be rejected. */
export const writeDevices = async ({ devicesFile }: DemoFiles, plan: readonly DemoSim[]): Promise<void> => {
  const lastStep = (sim: DemoSim) => sim.steps.at(-1)?.kind;
  const active = plan.filter((sim) => lastStep(sim) === 'activate');
  const rejected = plan
    .filter((sim) => lastStep(sim) === 'suspend' || lastStep(sim) === 'end')
    .slice(0, rejectedDevices);
  await writeFileAtomically(devicesFile, {
    columns: ['iccid', 'imsi', 'msisdn', 'imei', 'apn', 'kind', 'home_plmn'] as const,
    rows: [...active, ...rejected].map(({ device: { homePlmn, ...device } }) => ({
      ...device,
      home_plmn: homePlmn,
    })),
  });
};

/** Renamed to its final name only when complete. */
export const writeFileAtomically = async <Column extends string>(
  path: string,
  content: Omit<Parameters<typeof writeCsv<Column>>[0], 'to'>,
): Promise<number> => {
  const to = createWriteStream(`${path}.new`);
  const count = await writeCsv({ ...content, to });
  to.end();
  await finished(to);
  await rename(`${path}.new`, path);
  return count;
};
