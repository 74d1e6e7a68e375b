import type { Readable } from 'node:stream';
import type { Installation } from '../doctor/check.ts';

/** The input of a bundle: the installation, which is not changed, and what the operator adds. */
export interface BundleSource extends Installation {
  /** Path of a log in a file, or a log that another program writes, such as journalctl. */
  log: string | Readable | undefined;
}

/** Directories of this machine, which may contain a person's name, and what the bundle has instead. */
export const directoryNames = ({ env }: BundleSource): Readonly<Record<string, string>> => ({
  [env.dataDir]: '[data directory]',
  [env.environmentFile]: '[settings file]',
  [env.projectRoot]: '[project]',
  [env.webDir]: '[console]',
  ...(env.archiveDir !== undefined && { [env.archiveDir]: '[archive]' }),
});

/** A file of the bundle. */
export interface Part {
  name: string;
  /** One sentence for the bundle's README, and for docs/operations.md. */
  holds: string;
  needsDatabase: boolean;
  /**
   * Returns text, or a value that becomes JSON with its texts scrubbed.
   * @throws Error: the file is missing
   */
  read: (source: BundleSource) => Promise<unknown>;
}

/** A file can't be included, for a reason that people read. */
export class PartUnavailable extends Error {}
