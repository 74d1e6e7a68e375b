/**
 * Secrets and personal data that texts of programs, libraries and the operating system may contain by accident.
 * Each part of a bundle includes only harmless fields; this is the second line of defence.
 */
const patterns: readonly [what: RegExp, instead: string][] = [
  // URLs of services: they may contain user, password and tokens.
  [/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '[address]'],
  [/[^\s@"'<>(),;:=]+@[^\s@"'<>(),;:=]+/g, '[mail address]'],
  // Addresses of other machines, IPv4 and IPv6; not those that every machine has.
  [/(?<![\w.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)/g, '[address]'],
  [/(?<![\w:])(?:[\da-f]{1,4}:){7}[\da-f]{1,4}(?![\w:])/gi, '[address]'],
  [/(?<![\w:])[\da-f]{1,4}(?::[\da-f]{1,4})*::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?(?![\w:])/gi, '[address]'],
  // Keys, hashes and tokens.
  [/\b[\da-f]{20,}\b/gi, '[masked]'],
  [/(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{24,}=*/g, '[masked]'],
  // ICCIDs, IMSIs, telephone numbers, also with separators.
  [/\+\d[\d ()-]{5,}\d/g, '[number]'],
  [/\d(?:[ -]?\d){13,}/g, '[number]'],
  [/\d{7,}/g, '[number]'],
];

/** @param names directories of this machine and their replacements (a path may contain an account's name) */
export const scrubText = (text: string, names: Readonly<Record<string, string>> = {}): string => {
  const withoutPaths = Object.entries(names)
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((sum, [path, name]) => sum.replaceAll(path, name), text);
  return patterns.reduce((sum, [what, instead]) => sum.replaceAll(what, instead), withoutPaths);
};

/** Scrubs every text of a value, at any depth; numbers and dates are unchanged. */
export const scrub = (value: unknown, names: Readonly<Record<string, string>> = {}): unknown => {
  if (typeof value === 'string') return scrubText(value, names);
  if (Array.isArray(value)) return value.map((one) => scrub(one, names));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, scrub(part, names)]));
};

/** A cluster's servers by their position in the list: a bundle contains no addresses of the database. */
export const withoutAddresses = <N extends { address: string }, S extends { nodes: readonly N[] }>(
  state: S,
) => ({
  ...state,
  nodes: state.nodes.map(({ address: _, ...node }, number) => ({ number, ...node })),
});

/** Messages of the database, which do not contain their SQLSTATE, with it. */
const databaseErrors: readonly (readonly [message: RegExp, sqlState: string])[] = [
  [/\bout of range$/, '22003'],
  [/\bviolates not-null constraint\b/, '23502'],
  [/\bviolates foreign key constraint\b/, '23503'],
  [/\bviolates unique constraint\b/, '23505'],
  [/\bviolates check constraint\b|\bno partition of relation\b/, '23514'],
  [/\bin a read-only transaction\b/, '25006'],
  [/\bcould not serialize access\b/, '40001'],
  [/\bdeadlock detected\b/, '40P01'],
  [/\bpermission denied for\b/, '42501'],
  [/\bcolumn \S+ does not exist\b/, '42703'],
  [/\brelation \S+ does not exist\b/, '42P01'],
  [/\bNo space left on device\b/, '53100'],
  [/\btoo many clients already\b|\bremaining connection slots are reserved\b/, '53300'],
  [/\bdue to lock timeout\b|\bcould not obtain lock\b/, '55P03'],
  [/\bcanceling statement due to\b/, '57014'],
  [/\bterminating connection due to administrator command\b/, '57P01'],
];

/**
 * The code in an error stored as text that may be passed on: that of the product, the database (SQLSTATE) or
 * the operating system.
 */
export const errorCodeOf = (error: string): string =>
  /\bCB-\d{2}-\d{4}\b|\bE[A-Z]{3,}\b|\bERR_[A-Z_]+\b/.exec(error)?.[0] ??
  databaseErrors.find(([message]) => message.test(error))?.[1] ??
  'other';
