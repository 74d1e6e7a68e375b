import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Sought } from '../cdr-filter.views.ts';
import { lookUpSims, type PackWanted } from '../counts/sim-lookups.views.ts';
import { type PackRow, type PacksQuestion, readPacks } from '../counts/sim-packs.views.ts';
import { isComputed, type Sources } from '../counts/stored.views.ts';
import { readAmounts, recordsIn } from './amounts.views.ts';
import { readMembers } from './beside.views.ts';
import { readSimRecordSums } from './record-sums.views.ts';
import { SimSums } from './sim-sums.rules.ts';
import type { Figures, Found } from './sums.rules.ts';

interface SimsQuestion {
  sought: Sought;
  sources: Sources;
  provisional: Date;
  /** Maximum number of SIMs; those with the most usage are returned. */
  most: number;
  /** Limits the result to these SIMs. */
  only: readonly number[] | undefined;
}

/** Figures by SIM: from packs and the remaining records, or, with a filter other than time, from records. */
export const simFigures = (db: Db, question: SimsQuestion): Promise<Figures> =>
  isComputed(question.sources) && !narrows(question.sought)
    ? readComputed(db, question)
    : readRecords(db, question);

/** Packs distinguish nothing else. */
const narrows = ({ plmns, radios, apns, sources }: Sought): boolean =>
  (plmns ?? radios ?? apns ?? sources) !== undefined;

const readRecords = (db: Db, { sought, provisional, most, only }: SimsQuestion): Promise<Figures> => {
  const range = { from: sought.from, to: sought.to };
  const records = recordsIn(only ? { ...sought, simIds: [...only] } : sought, [range]);
  return readSimRecordSums(db, { records, provisional, most });
};

const bySim = <T>([found]: readonly Found<T>[]): ReadonlyMap<string, T> => found?.get('sim') ?? new Map();

const readComputed = async (
  db: Db,
  { sought, sources, provisional, most, only = sought.simIds }: SimsQuestion,
): Promise<Figures> => {
  const read = { sought, sources, provisional };
  const [packs, beside] = await Promise.all([
    readPacks(db, read, only ? 'times' : 'heads'),
    sources.records.length > 0
      ? readBeside(db, { ...read, sought: only ? { ...sought, simIds: [...only] } : sought })
      : [],
  ]);
  const begin = (): SimSums => {
    const sums = new SimSums();
    for (const one of beside) sums.addRecords(one);
    return sums;
  };
  const sums = begin();
  const isLate = (at: Date) => at >= provisional;
  const added = packs.flatMap(({ packed, ...pack }) => (packed ? { ...pack, packed } : []));
  for (const { starts_at, packed, rest_bytes: rest } of added)
    sums.addPack(packed, { isLate: isLate(starts_at), rest });
  const sorted = only?.toSorted((a, b) => a - b);
  const leftOut = sorted ? undefined : sums.leftOut(most);
  const wanted = sorted
    ? packsIn(packs, { sims: sorted })
    : leftOut && added.flatMap((pack, place) => packsIn(packs, { ...pack, sims: leftOut[place] ?? [] }));
  const isFound =
    wanted &&
    (await lookUpSims(db, {
      orgId: sought.orgId,
      wanted,
      told: ({ at }, amounts, sessions) =>
        sums.addFound(amounts, { sessions: sessions(), isLate: isLate(at) }),
    }));
  if (isFound) return sums.figures({ most, only });
  const all = await readPacks(db, read, 'whole');
  const whole = begin();
  for (const { starts_at, packed } of all) {
    if (packed) whole.addPack(packed, { isLate: isLate(starts_at), rest: 0 });
  }
  return whole.figures({ most, only });
};

/** The packs in which to look up SIMs that a pack, or a combined head, omits. */
const packsIn = (
  packs: readonly PackRow[],
  { starts_at: from, ends_at: to, sims }: { starts_at?: Date; ends_at?: Date; sims: readonly number[] },
): PackWanted[] =>
  sims.length === 0
    ? []
    : packs.flatMap(({ unit, starts_at: at, ends_at: end }) =>
        unit && (!from || at >= from) && (!to || end <= to) ? { unit, at, sims } : [],
      );

type BesideRow = Parameters<SimSums['addRecords']>[0];

const readBeside = async (db: Db, { sought, sources, provisional }: PacksQuestion): Promise<BesideRow[]> => {
  const records = recordsIn(sought, sources.records);
  const bySims = { keys: ['sim'], later: 0 } as const;
  const [amounts, members] = await Promise.all([
    readAmounts(db, { spans: [{ ...bySims, usage: sql`(${records})` }], provisional }),
    readMembers(db, { ...bySims, sought, sources }),
  ]);
  const membersOf = bySim([members]);
  return [...bySim(amounts)].map(([sim, amount]) => {
    const { sessions, unnumbered = 0 } = membersOf.get(sim) ?? {};
    return { sim: Number(sim), amounts: amount, sessions: [...(sessions ?? [])], unnumbered };
  });
};
