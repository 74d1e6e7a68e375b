import { type Cluster, startCluster } from './cluster.ts';
import { type Fleet, fill, makeFleet } from './fleet.ts';
import type { Measured } from './report.ts';

export interface BenchOptions {
  /** Of the big installation. */
  sims: number;
  /** Sessions of the accounting comparison. */
  sessions: number;
  windows: number[];
  rounds: number;
  /** Rows of the CDR file. */
  rows: number;
  /** Records of half a year; fewer where the disk is short. */
  cdrs: number;
  /** Messages of half a year. */
  messages: number;
  /** Accounting packets a second beside the lists. */
  rate: number;
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

/** Databases made on demand, shared by the sections of one run. */
export const sharedGround = (options: BenchOptions, progress: (text: string) => void) => {
  let big: Promise<{ fleet: Fleet; cluster: Cluster }> | undefined;
  const make = async () => {
    progress(`filling an installation with ${options.sims.toLocaleString('en-US')} SIMs`);
    const cluster = await startCluster({ watched: options.statements });
    try {
      const fleet = await makeFleet(cluster, { database: 'big', pastDays: 190 });
      await fill(fleet, options.sims);
      await cluster.settle();
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
