import type { Readable } from 'node:stream';
import { zipArchive } from '../../platform/files/index.ts';
import { reasonOf } from '../doctor/check.ts';
import { isDatabaseReachable } from '../doctor/doctor.service.ts';
import { withTimeLimit } from '../doctor/time-limit.ts';
import { version } from '../version.ts';
import { databaseParts } from './database.parts.ts';
import { machineParts } from './machine.parts.ts';
import { type BundleSource, directoryNames, type Part, PartUnavailable } from './part.ts';
import { scrub, scrubText } from './scrub.rules.ts';

export const bundleParts: readonly Part[] = [...machineParts, ...databaseParts];
const partLimitMs = 30_000;
const databaseLimitMs = 5_000;

export interface Bundle {
  archive: Readable;
  /** Files that could not be made, with the reason. */
  missing: { name: string; reason: string }[];
}

interface PartResult {
  part: Part;
  text?: string;
  reason?: string;
}

/** Collects everything that others need to help with an installation; a part that fails is the only one missing. */
export const makeBundle = async (source: BundleSource): Promise<Bundle> => {
  const isReachable = await isDatabaseReachable(source, databaseLimitMs);
  const results = await Promise.all(
    bundleParts.map((part): Promise<PartResult> | PartResult =>
      part.needsDatabase && !isReachable
        ? { part, reason: 'the database does not answer' }
        : makePart(part, source),
    ),
  );
  const at = source.clock.now();
  const files = [
    { name: 'README.txt', text: readme(results, at) },
    ...results.flatMap(({ part: { name }, text }) => (text === undefined ? [] : [{ name, text }])),
  ];
  return {
    archive: zipArchive(
      files.map(({ name, text }) => ({ name: `simcube-support/${name}`, at, content: contentOf(text) })),
    ),
    missing: results.flatMap(({ part: { name }, reason }) =>
      reason === undefined ? [] : [{ name, reason }],
    ),
  };
};

const makePart = async (part: Part, source: BundleSource): Promise<PartResult> => {
  try {
    const value = await withTimeLimit(partLimitMs, part.read(source));
    return { part, text: typeof value === 'string' ? value : jsonOf(value, source) };
  } catch (error) {
    return {
      part,
      reason:
        error instanceof PartUnavailable ? error.message : scrubText(reasonOf(error), directoryNames(source)),
    };
  }
};

const jsonOf = (value: unknown, source: BundleSource): string =>
  JSON.stringify(scrub(value, directoryNames(source)), undefined, 2);

async function* contentOf(text: string) {
  yield Buffer.from(`${text}\n`);
}

const readme = (results: readonly PartResult[], at: Date): string =>
  [
    `Support bundle of SimCube ${version}, created at ${at.toISOString()} by \`simcube support-bundle\`.`,
    '',
    ...results.map(({ part, reason }) =>
      reason === undefined
        ? `${part.name}: ${part.holds}.`
        : `${part.name}: missing, because ${reason}. It would contain: ${part.holds}.`,
    ),
    '',
    'Not included: passwords, keys, tokens, sealed secrets, addresses of the database or of other services; names of',
    'people and organisations, mail addresses, telephone numbers, ICCIDs, IMSIs, texts of messages. Anything in a text',
    'that looks like one is replaced, for example by [number]. Even so, read the files before you send them.',
  ].join('\n');
