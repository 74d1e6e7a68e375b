import { startBenchCluster } from './citus.ts';
import type { Cluster } from './cluster.ts';
import { type Fleet, fill, makeFleet } from './fleet.ts';
import { openKeptCluster, readKept, writeKept } from './kept-data.ts';
import { startProduct } from './product.ts';
import type { Measurement } from './report.ts';

export interface BenchOptions {
  /** SIMs of the large installation. */
  sims: number;
  /** Sessions of the accounting comparison. */
  sessions: number;
  windows: number[];
  rounds: number;
  /** Calls per list. */
  tries: number;
  /** Rows of the CDR file. */
  rows: number;
  /** Records of all days; fewer if the disk is too small. */
  cdrs: number;
  /** Days up to today with records: half a year, or fewer to have the same number of records per day in less time. */
  days: number;
  /** Messages of half a year. */
  messages: number;
  /** Accounting packets per second during the lists. */
  rate: number;
  /** During simultaneous firings: packets at `rate` instead of as many as are acknowledged. */
  steady: boolean;
  /** Simultaneous firings of a rule. */
  firings: number;
  /** SIMs per transfer and per upload. */
  batch: number;
  roles: string;
  /** Whether to measure the baseline too. */
  baseline: boolean;
  /** Directory for processor profiles of the server. */
  profile: string | undefined;
  /** Directory of another checkout with whose console this one's is compared. */
  before: string | undefined;
  /** Whether to report the cost of database statements. */
  statements: boolean;
  /** Directory in which the database of `cdrs`, `replay` or `sms-lists` is kept for the next run. */
  keep: string | undefined;
  /** Only queries of `cdrs` or `sms-lists` whose names contain one of these texts, separated by vertical bars. */
  ask: string | undefined;
  /** Number of nodes of a Citus cluster, instead of the database server that comes with the product. */
  nodes?: number;
}

/** Environment of a section: the options, functions to report figures, and databases that sections share. */
export interface Run {
  options: BenchOptions;
  add(line: Measurement): void;
  note(text: string): void;
  progress(text: string): void;
  /** The installation with many SIMs, created once for all sections of a run. */
  bigFleet(): Promise<{ fleet: Fleet; cluster: Cluster }>;
}

export type Section = (run: Run) => Promise<void>;

const database = 'big';

/** An existing installation, migrated by starting a server; the database may have another port than before. */
export const reopenFleet = async (
  cluster: Cluster,
  keptFleet: Fleet,
  database: string,
): Promise<{ fleet: Fleet; cluster: Cluster }> => {
  const fleet = { ...keptFleet, databaseUrl: cluster.url(database) };
  const server = await startProduct({ ...fleet, roles: 'web' });
  await server.stop();
  return { fleet, cluster };
};

/** Databases created on demand and shared by the sections of one run. */
export const sharedFleet = (options: BenchOptions, progress: (text: string) => void) => {
  let big: Promise<{ fleet: Fleet; cluster: Cluster }> | undefined;
  const createFleet = async () => {
    const found = options.keep === undefined ? undefined : await readKept<Fleet>(options.keep, 'fleet');
    if (options.keep !== undefined && found) {
      return reopenFleet(
        await openKeptCluster(options.keep, { trackStatements: options.statements }),
        found,
        database,
      );
    }
    progress(`filling an installation with ${options.sims.toLocaleString('en-US')} SIMs`);
    const cluster = await (options.keep === undefined
      ? startBenchCluster(options)
      : openKeptCluster(options.keep, { trackStatements: options.statements }));
    try {
      const fleet = await makeFleet(cluster, { database, pastDays: 190 });
      await fill(fleet, options.sims);
      await cluster.distribute(fleet);
      await cluster.settle();
      if (options.keep !== undefined) await writeKept(options.keep, 'fleet', fleet);
      return { fleet, cluster };
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  };
  return {
    bigFleet: () => {
      big ??= createFleet();
      return big;
    },
    close: async () => {
      await (await big?.catch(() => undefined))?.cluster.stop();
    },
  };
};
