import { startGround } from './citus.ts';
import type { Cluster } from './cluster.ts';
import { type Fleet, fill, makeFleet } from './fleet.ts';
import { findKept, keep, keptCluster } from './kept.ts';
import { startProduct } from './product.ts';
import type { Measured } from './report.ts';

export interface BenchOptions {
  /** Of the big installation. */
  sims: number;
  /** Sessions of the accounting comparison. */
  sessions: number;
  windows: number[];
  rounds: number;
  /** Calls of each list. */
  tries: number;
  /** Rows of the CDR file. */
  rows: number;
  /** Records of all days; fewer where the disk is short. */
  cdrs: number;
  /** Up to today, that have records: half a year, or fewer where as many records a day are made in less time. */
  days: number;
  /** Messages of half a year. */
  messages: number;
  /** Accounting packets a second beside the lists. */
  rate: number;
  /** Beside firings at once: packets at `rate` instead of as many as are answered. */
  steady: boolean;
  /** Firings of a rule at once. */
  firings: number;
  /** SIMs of one transfer and of one upload. */
  batch: number;
  roles: string;
  /** Measure what the product is compared with, too. */
  baseline: boolean;
  /** Directory for processor profiles of the server. */
  profile: string | undefined;
  /** Directory of another checkout, whose console is compared with this one's. */
  before: string | undefined;
  /** Tell what the database's statements cost. */
  statements: boolean;
  /** Directory in which the ground of `cdrs`, `replay` or `sms-lists` stays for the next run. */
  keep: string | undefined;
  /** Of the questions of `cdrs` or `sms-lists`, those alone whose names have one of these texts, between bars. */
  ask: string | undefined;
  /** Of a database server with Citus, instead of the one that comes with the product. */
  nodes?: number;
}

/** What a section is handed: the options, where its figures go, and databases that sections share. */
export interface Run {
  options: BenchOptions;
  add(line: Measured): void;
  note(text: string): void;
  progress(text: string): void;
  /** The installation with many SIMs; made once for all sections of a run. */
  bigFleet(): Promise<{ fleet: Fleet; cluster: Cluster }>;
}

export type Section = (run: Run) => Promise<void>;

const database = 'big';

/** Brought up to date by the start of a server; the database may have another port than before. */
export const foundAgain = async (
  cluster: Cluster,
  known: Fleet,
  database: string,
): Promise<{ fleet: Fleet; cluster: Cluster }> => {
  const fleet = { ...known, databaseUrl: cluster.url(database) };
  const server = await startProduct({ ...fleet, roles: 'web' });
  await server.stop();
  return { fleet, cluster };
};

/** Databases made on demand, shared by the sections of one run. */
export const sharedGround = (options: BenchOptions, progress: (text: string) => void) => {
  let big: Promise<{ fleet: Fleet; cluster: Cluster }> | undefined;
  const make = async () => {
    const found = options.keep === undefined ? undefined : await findKept<Fleet>(options.keep, 'fleet');
    if (options.keep !== undefined && found) {
      return foundAgain(await keptCluster(options.keep, { watched: options.statements }), found, database);
    }
    progress(`filling an installation with ${options.sims.toLocaleString('en-US')} SIMs`);
    const cluster = await (options.keep === undefined
      ? startGround(options)
      : keptCluster(options.keep, { watched: options.statements }));
    try {
      const fleet = await makeFleet(cluster, { database, pastDays: 190 });
      await fill(fleet, options.sims);
      await cluster.spread(fleet);
      await cluster.settle();
      if (options.keep !== undefined) await keep(options.keep, 'fleet', fleet);
      return { fleet, cluster };
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  };
  return {
    bigFleet: () => {
      big ??= make();
      return big;
    },
    close: async () => {
      await (await big?.catch(() => undefined))?.cluster.stop();
    },
  };
};
