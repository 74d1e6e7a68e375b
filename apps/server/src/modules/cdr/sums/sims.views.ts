import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Sought } from '../cdr-filter.views.ts';
import { daysTogether, togetherAt } from '../counts/sim-counts.rules.ts';
import { isComputed, type Sources } from '../counts/stored.views.ts';
import {
  countDistinct,
  type Found,
  numberedOf,
  readAmounts,
  readMembers,
  readRecordFigures,
  recordsIn,
} from './amounts.views.ts';
import { SimSums } from './sim-sums.rules.ts';
import type { Figures } from './sums.rules.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

interface SimsQuestion {
  sought: Sought;
  sources: Sources;
  provisional: Date;
  /** At most so many, those with the most usage. */
  most: number;
  /** Of these alone. */
  only: readonly number[] | undefined;
}

/** Figures by SIM: from what was computed and the records beside it, or, where a filter asks for some, from the records. */
export const simFigures = (db: Db, question: SimsQuestion): Promise<Figures> =>
  isComputed(question.sources) && !narrows(question.sought)
    ? readComputed(db, question)
    : readRecords(db, question);

/** What was computed by SIM tells nothing else apart. */
const narrows = ({ plmns, radios, apns, sources }: Sought): boolean =>
  (plmns ?? radios ?? apns ?? sources) !== undefined;

const readRecords = async (db: Db, { sought, provisional, most, only }: SimsQuestion): Promise<Figures> => {
  const range = { from: sought.from, to: sought.to };
  const usage = sql`(${recordsIn(only ? { ...sought, simIds: [...only] } : sought, [range])})`;
  const spans = [{ usage, keys: ['sim'], counted: ['sim'], later: 0 }] as const;
  return new Map(bySim(await readRecordFigures(db, { spans, provisional, most })));
};

const bySim = <T>([found]: readonly Found<T>[]): ReadonlyMap<string, T> => found?.get('sim') ?? new Map();

const readComputed = async (
  db: Db,
  { sought, sources, provisional, most, only }: SimsQuestion,
): Promise<Figures> => {
  const sums = new SimSums();
  await Promise.all([
    addPacks(db, { sought, sources, provisional, sums }),
    ...(sources.records.length > 0 ? [addBeside(db, { sought, sources, provisional, sums })] : []),
  ]);
  return sums.figures({ most, only });
};

interface Adding extends Pick<SimsQuestion, 'sought' | 'sources' | 'provisional'> {
  sums: SimSums;
}

const addPacks = async (db: Db, { sought, sources, provisional, sums }: Adding): Promise<void> => {
  const together = wholeTogether(sources, sought, provisional);
  const kept = (unit: string, starts: readonly Date[]) => sql`
    select starts_at, packed from cdr_sim_counts
    where org_id = ${sought.orgId} and unit = ${unit} and starts_at = any(${starts}::timestamptz[])`;
  const { rows } = await sql<{ starts_at: Date; packed: Buffer }>`
    with together as materialized (${kept('days', together)})
    select * from together union all ${kept('hour', sources.hours)}
    union all select * from (${kept('day', sources.days)}) as d where not exists (
      select from together t where d.starts_at >= t.starts_at
        and d.starts_at < t.starts_at + make_interval(days => ${daysTogether}))`.execute(db);
  for (const { starts_at, packed } of rows) sums.addPack(packed, starts_at >= provisional);
};

/** The days that may be read together: those of which nothing is read by the hour or from records. */
const wholeTogether = ({ days, hours, records }: Sources, { from, to }: Sought, cut: Date): Date[] => {
  const apart = [
    ...hours.map((hour) => ({ from: hour, to: new Date(hour.getTime() + hourMs) })),
    ...records,
    { from: new Date(0), to: from },
    { from: to, to: new Date(8.64e15) },
  ];
  return [...new Set(days.map((day) => togetherAt(day.getTime())))]
    .map((start) => ({ from: new Date(start), to: new Date(start + daysTogether * dayMs) }))
    .filter(
      (one) =>
        !(one.from < cut && cut < one.to) &&
        apart.every((other) => other.to <= one.from || other.from >= one.to),
    )
    .map((one) => one.from);
};

const addBeside = async (db: Db, { sought, sources, provisional, sums }: Adding): Promise<void> => {
  const records = recordsIn(sought, sources.records);
  const numbered = numberedOf(sought, records);
  const of = (usage: typeof records) => [{ usage, keys: ['sim'], later: 0 }] as const;
  const [amounts, members, others] = await Promise.all([
    readAmounts(db, { spans: of(sql`(${records})`), provisional }),
    readMembers(db, of(numbered)),
    countDistinct(db, of(sql`(select * from ${numbered} as r where number is null)`)),
  ]);
  const [sessionsOf, unnumberedOf] = [bySim(members), bySim(others)];
  for (const [sim, amount] of bySim(amounts)) {
    const unnumbered = unnumberedOf.get(sim)?.sessions ?? 0;
    const sessions = sessionsOf.get(sim)?.sessions ?? [];
    sums.addRecords({ sim: Number(sim), ...amount, sessions, unnumbered });
  }
};
