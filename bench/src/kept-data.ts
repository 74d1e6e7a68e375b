import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cluster, startCluster } from './cluster.ts';

/** A cluster whose files are kept when it is stopped. */
export const openKeptCluster = async (
  directory: string,
  { trackStatements }: { trackStatements: boolean },
): Promise<Cluster> => {
  await mkdir(directory, { recursive: true });
  // Accessible for the user that the database runs as if this process is root.
  await chmod(directory, 0o755);
  const cluster = await startCluster({ trackStatements, existing: directory });
  return { ...cluster, stop: () => cluster.shutDown() };
};

/** Description that an earlier run has stored with its data; undefined if it was not completed. */
export const readKept = async <T>(directory: string, name: string): Promise<T | undefined> => {
  const text = await readFile(pathOf(directory, name), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
};

export const writeKept = (directory: string, name: string, value: unknown): Promise<void> =>
  writeFile(pathOf(directory, name), JSON.stringify(value), { mode: 0o600 });

const pathOf = (directory: string, name: string): string => join(directory, `kept-${name}.json`);
