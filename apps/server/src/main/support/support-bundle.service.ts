import type { Readable } from 'node:stream';
import { zipArchive } from '../../platform/files/index.ts';
import { reasonOf } from '../doctor/check.ts';
import { answers } from '../doctor/doctor.service.ts';
import { within } from '../doctor/within.ts';
import { version } from '../version.ts';
import { databaseParts } from './database.parts.ts';
import { machineParts } from './machine.parts.ts';
import { type BundleSource, NotThere, type Part } from './part.ts';
import { scrub, scrubText } from './scrub.rules.ts';

export const bundleParts: readonly Part[] = [...machineParts, ...databaseParts];
const partLimitMs = 30_000;
const databaseLimitMs = 5_000;

export interface Bundle {
  archive: Readable;
  /** Files that could not be made, with the reason. */
  missing: { name: string; reason: string }[];
}

interface MadePart {
  part: Part;
  text?: string;
  reason?: string;
}

/** Collects everything that others need to help with an installation; a part that fails is the only one missing. */
export const makeBundle = async (source: BundleSource): Promise<Bundle> => {
  const isAnswering = await answers(source, databaseLimitMs);
  const made = await Promise.all(
    bundleParts.map((part): Promise<MadePart> | MadePart =>
      part.needsDatabase && !isAnswering
        ? { part, reason: 'the database does not answer' }
        : makePart(part, source),
    ),
  );
  const at = source.clock.now();
  const files = [
    { name: 'README.txt', text: readme(made, at) },
    ...made.flatMap(({ part: { name }, text }) => (text === undefined ? [] : [{ name, text }])),
  ];
  return {
    archive: zipArchive(
      files.map(({ name, text }) => ({ name: `simcube-support/${name}`, at, content: oneOf(text) })),
    ),
    missing: made.flatMap(({ part: { name }, reason }) => (reason === undefined ? [] : [{ name, reason }])),
  };
};

const makePart = async (part: Part, source: BundleSource): Promise<MadePart> => {
  try {
    const value = await within(partLimitMs, part.read(source));
    return { part, text: typeof value === 'string' ? value : jsonOf(value, source) };
  } catch (error) {
    return { part, reason: error instanceof NotThere ? error.message : scrubText(reasonOf(error)) };
  }
};

const jsonOf = (value: unknown, { env }: BundleSource): string =>
  JSON.stringify(
    scrub(value, {
      [env.dataDir]: '[data directory]',
      [env.environmentFile]: '[settings file]',
      [env.projectRoot]: '[project]',
    }),
    undefined,
    2,
  );

async function* oneOf(text: string) {
  yield Buffer.from(`${text}\n`);
}

const readme = (made: readonly MadePart[], at: Date): string =>
  [
    `Support bundle of SimCube ${version}, created at ${at.toISOString()} by \`simcube support-bundle\`.`,
    '',
    ...made.map(({ part, reason }) =>
      reason === undefined
        ? `${part.name}: ${part.holds}.`
        : `${part.name}: missing, because ${reason}. It would contain: ${part.holds}.`,
    ),
    '',
    'Not included: passwords, keys, tokens, sealed secrets, addresses of the database or of other services; names of',
    'people and organisations, mail addresses, telephone numbers, ICCIDs, IMSIs, texts of messages. Anything in a text',
    'that looks like one is replaced, for example by [number]. Even so, read the files before you send them.',
  ].join('\n');
