import type { Installation } from '../doctor/check.ts';

/** The input of a bundle: the installation, which is not changed, and what the operator adds. */
export interface BundleSource extends Installation {
  /** Path of the log, if it is in a file. */
  logFile: string | undefined;
}

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
