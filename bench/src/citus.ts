import { rm } from 'node:fs/promises';
import { serverSettings } from '../../apps/server/src/platform/embedded/index.ts';
import { closeDatabase, databaseAt, joinNodes } from '../../apps/server/src/testing/cluster.ts';
import { type CitusNode, citusUnavailableReason, startCluster as startNodes } from '../../scripts/citus.mjs';
import { type Cluster, makeDirectory, startCluster, withClient } from './cluster.ts';
import { cpuSecondsOf } from './processes.ts';
import { simcube } from './product.ts';

/** Settings that nodes need in addition to those of the product's server; each node serves the sessions of all nodes. */
const nodeSettings = {
  max_connections: '300',
  max_prepared_transactions: '300',
};

export interface CitusCluster extends Cluster {
  /** All nodes, coordinator first. */
  nodes: readonly CitusNode[];
}

/**
 * A temporary Citus cluster on this machine, with the settings of the product: every acknowledged commit is on disk. With one
 * node, it is a PostgreSQL of the same version without the extension in its databases.
 * @throws Error if the extension is not installed
 */
export const startCitus = async (count: number): Promise<CitusCluster> => {
  const problem = citusUnavailableReason();
  if (problem !== undefined) throw new Error(problem);
  const directory = await makeDirectory();
  const { nodes, url, stop } = await startNodes({
    workers: count - 1,
    durable: { ...serverSettings, ...nodeSettings },
  });
  const servers = nodes.map((node) => node.url);
  const onAll = async (database: string, statement: string): Promise<void> => {
    for (const server of servers)
      await withClient(databaseAt(server, database), async (client) => void (await client.query(statement)));
  };
  const urlOf = (database: string): string => databaseAt(url, database);
  return {
    nodes,
    directory,
    postmaster: () => nodes[0]?.pid() ?? 0,
    cpuSeconds: () => nodes.reduce((sum, node) => sum + cpuSecondsOf(node.pid()), 0),
    url: urlOf,
    create: async (database, template) => {
      if (template === undefined) {
        await onAll('postgres', `create database ${database}`);
        await joinNodes(servers, database);
      } else {
        await closeDatabase(servers, template);
        await onAll('postgres', `create database ${database} template ${template}`);
      }
      return urlOf(database);
    },
    drop: (database) => onAll('postgres', `drop database if exists ${database} with (force)`),
    distribute: async (installation) => {
      if (count > 1) simcube(installation, ['db', 'distribute']);
    },
    analyse: (database) => onAll(database, 'vacuum (analyze)'),
    settle: () => onAll('postgres', 'checkpoint'),
    // Statement statistics are available only for a single server.
    costliestStatements: async () => [],
    shutDown: async () => stop(),
    stop: async () => {
      stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** The database server of a section: the one that comes with the product, or a cluster. */
export const startBenchCluster = ({
  statements,
  nodes,
}: {
  statements: boolean;
  nodes?: number;
}): Promise<Cluster> =>
  nodes === undefined ? startCluster({ trackStatements: statements }) : startCitus(nodes);
