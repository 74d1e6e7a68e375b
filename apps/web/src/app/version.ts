import { version as packageVersion } from '../../package.json' with { type: 'json' };

/** The product's version, as About shows it. */
export const version = packageVersion;
