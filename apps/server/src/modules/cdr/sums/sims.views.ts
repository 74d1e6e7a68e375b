import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { RecordSelection } from '../cdr-filter.views.ts';
import { lookUpSims, type PackLookup } from '../counts/sim-lookups.views.ts';
import { type PackRow, type PacksQuery, readPacks } from '../counts/sim-packs.views.ts';
import { isComputed, type Sources } from '../counts/stored.views.ts';
import { readAmounts, recordsIn } from './amounts.views.ts';
import { readSimRecordSums } from './record-sums.views.ts';
import { readMembers } from './remaining.views.ts';
import { SimSums } from './sim-sums.rules.ts';
import type { Figures, GroupedResults } from './sums.rules.ts';

interface SimsQuery {
  selection: RecordSelection;
  sources: Sources;
  provisional: Date;
  /** Maximum number of SIMs; those with the most usage are returned. */
  limit: number;
  /** Limits the result to these SIMs. */
  only: readonly number[] | undefined;
}

/** Figures by SIM: from packs and the remaining records, or, with a filter other than time, from records. */
export const simFigures = (db: Db, query: SimsQuery): Promise<Figures> =>
  isComputed(query.sources) && !narrows(query.selection) ? readComputed(db, query) : readRecords(db, query);

/** Packs distinguish nothing else. */
const narrows = ({ plmns, radios, apns, sources }: RecordSelection): boolean =>
  (plmns ?? radios ?? apns ?? sources) !== undefined;

const readRecords = (db: Db, { selection, provisional, limit, only }: SimsQuery): Promise<Figures> => {
  const range = { from: selection.from, to: selection.to };
  const records = recordsIn(only ? { ...selection, simIds: [...only] } : selection, [range]);
  return readSimRecordSums(db, { records, provisional, limit });
};

const bySim = <T>([found]: readonly GroupedResults<T>[]): ReadonlyMap<string, T> =>
  found?.get('sim') ?? new Map();

const readComputed = async (
  db: Db,
  { selection, sources, provisional, limit, only = selection.simIds }: SimsQuery,
): Promise<Figures> => {
  const read = { selection, sources, provisional };
  const [packs, remaining] = await Promise.all([
    readPacks(db, read, only ? 'times' : 'heads'),
    sources.records.length > 0
      ? readRemaining(db, { ...read, selection: only ? { ...selection, simIds: [...only] } : selection })
      : [],
  ]);
  const begin = (): SimSums => {
    const sums = new SimSums();
    for (const one of remaining) sums.addRecords(one);
    return sums;
  };
  const sums = begin();
  const isLate = (at: Date) => at >= provisional;
  const added = packs.flatMap(({ packed, ...pack }) => (packed ? { ...pack, packed } : []));
  for (const { starts_at, packed, rest_bytes: rest } of added)
    sums.addPack(packed, { isLate: isLate(starts_at), rest });
  const sorted = only?.toSorted((a, b) => a - b);
  const omitted = sorted ? undefined : sums.listOmitted(limit);
  const lookups = sorted
    ? packsIn(packs, { sims: sorted })
    : omitted && added.flatMap((pack, index) => packsIn(packs, { ...pack, sims: omitted[index] ?? [] }));
  const isFound =
    lookups &&
    (await lookUpSims(db, {
      orgId: selection.orgId,
      lookups,
      visit: ({ at }, amounts, sessions) =>
        sums.addFound(amounts, { sessions: sessions(), isLate: isLate(at) }),
    }));
  if (isFound) return sums.figures({ limit, only });
  const all = await readPacks(db, read, 'whole');
  const whole = begin();
  for (const { starts_at, packed } of all) {
    if (packed) whole.addPack(packed, { isLate: isLate(starts_at), rest: 0 });
  }
  return whole.figures({ limit, only });
};

/** The packs in which to look up SIMs that a pack, or a combined head, omits. */
const packsIn = (
  packs: readonly PackRow[],
  { starts_at: from, ends_at: to, sims }: { starts_at?: Date; ends_at?: Date; sims: readonly number[] },
): PackLookup[] =>
  sims.length === 0
    ? []
    : packs.flatMap(({ unit, starts_at: at, ends_at: end }) =>
        unit && (!from || at >= from) && (!to || end <= to) ? { unit, at, sims } : [],
      );

type RemainingRow = Parameters<SimSums['addRecords']>[0];

const readRemaining = async (
  db: Db,
  { selection, sources, provisional }: PacksQuery,
): Promise<RemainingRow[]> => {
  const records = recordsIn(selection, sources.records);
  const bySims = { keys: ['sim'], offsetSeconds: 0 } as const;
  const [amounts, members] = await Promise.all([
    readAmounts(db, { spans: [{ ...bySims, usage: sql`(${records})` }], provisional }),
    readMembers(db, { ...bySims, selection, sources }),
  ]);
  const membersOf = bySim([members]);
  return [...bySim(amounts)].map(([sim, amount]) => {
    const { sessions, unnumbered = 0 } = membersOf.get(sim) ?? {};
    return { sim: Number(sim), amounts: amount, sessions: [...(sessions ?? [])], unnumbered };
  });
};
