import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnusableSettings } from '../env/index.ts';
import { isAlive, startTimeOf } from './processes.ts';

/** Stored next to the data: how to connect to the cluster, which process owns it and which ones use it. */
export interface ClusterFile {
  password: string;
  port: number;
  owner: number;
  /** Unknown if a former version started the database. */
  users?: number[];
  /** When these processes started: after a reboot a process id may be another program's. */
  started?: Record<number, string | undefined>;
}

/** How to connect to the cluster; without this file the cluster is not found. */
export const clusterFile = (dataDir: string): string => join(dataDir, 'database.json');

/** @throws UnusableSettings if the file is damaged: its text may contain the password, and is not shown */
export const readClusterFile = async (path: string): Promise<ClusterFile | undefined> => {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const cluster = parsed(text);
  if (typeof cluster?.password !== 'string' || typeof cluster.port !== 'number')
    throw new UnusableSettings(
      `${path}, which contains the password of the database, is damaged. Restore this file from a backup.`,
    );
  return cluster as ClusterFile;
};

const parsed = (text: string): Partial<ClusterFile> | undefined => {
  try {
    return JSON.parse(text) as Partial<ClusterFile>;
  } catch {
    return undefined;
  }
};

export const writeClusterFile = async (path: string, cluster: ClusterFile): Promise<void> => {
  const { owner, users = [], started = {} } = cluster;
  const named = [owner, ...users].map((pid) => [pid, pid === process.pid ? startTimeOf(pid) : started[pid]]);
  const text = JSON.stringify({ ...cluster, started: Object.fromEntries(named) });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
};

export const otherUsers = (cluster: ClusterFile): number[] =>
  (cluster.users ?? []).filter((one) => one !== process.pid && isRunning(cluster, one));

/** Whether a process of the file still runs, and not another one with its id. */
export const isRunning = ({ started }: ClusterFile, pid: number): boolean => {
  const startTime = started?.[pid];
  return isAlive(pid) && (startTime === undefined || startTime === startTimeOf(pid));
};
