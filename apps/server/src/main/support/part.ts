import type { Installation } from '../doctor/check.ts';

/** What a bundle is made from: the installation, which stays as it is, and what the operator adds. */
export interface BundleSource extends Installation {
  /** Where the log is kept, when it is. */
  logFile: string | undefined;
}

/** A file of the bundle. */
export interface Part {
  name: string;
  /** One sentence for the bundle's README, and for docs/operations.md. */
  holds: string;
  needsDatabase: boolean;
  /** Text as it stands, or a value that becomes JSON with its texts scrubbed. @throws Error: the file is missing */
  read: (source: BundleSource) => Promise<unknown>;
}

/** A file that can't be there, for a reason that people read. */
export class NotThere extends Error {}
