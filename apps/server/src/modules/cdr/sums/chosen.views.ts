import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { RecordSelection } from '../cdr-filter.views.ts';
import { forEachNumber } from '../counts/number-sets.rules.ts';
import type { SimAmounts } from '../counts/sim-counts.rules.ts';
import { lookUpSims, type PackLookup } from '../counts/sim-lookups.views.ts';
import type { Sources } from '../counts/stored.views.ts';
import { readAmounts, recordsIn } from './amounts.views.ts';
import type { Members } from './remaining.rules.ts';
import { readMembers } from './remaining.views.ts';
import { type Amounts, type Distinct, type GroupedResults, type Key, noAmounts } from './sums.rules.ts';

export interface ChosenSpan {
  /** A filter with SIMs. */
  selection: RecordSelection;
  sources: Sources;
  keys: readonly Key[];
  /** The keys for which SIMs and sessions are counted, too. */
  counted: readonly Key[];
  /** Seconds added to hours. */
  offsetSeconds: number;
}

/** Packs distinguish nothing but time. */
export const isTimeOnlyKey = (key: Key): boolean => key === 'all' || key === 'day' || key === 'hour';

/**
 * Figures of many chosen SIMs by hour, by day and in total. Each SIM is looked up in packs, because its records are
 * scattered over the disk. Undefined if packs keep changing.
 */
export const readChosen = async (
  db: Db,
  span: ChosenSpan,
  provisional: Date,
): Promise<Map<Key, Map<string, Amounts & Distinct>> | undefined> => {
  const { selection, sources } = span;
  const sims = (selection.simIds ?? []).toSorted((a, b) => a - b);
  const packs: PackLookup[] = [
    ...sources.days.map((at) => ({ unit: 'day' as const, at, sims })),
    ...sources.hours.map((at) => ({ unit: 'hour' as const, at, sims })),
  ];
  const groups = new Groups(span, provisional);
  const [remaining, isFound] = await Promise.all([
    readRemaining(db, span, provisional),
    lookUpSims(db, {
      orgId: selection.orgId,
      lookups: packs,
      visit: ({ at }, amounts, sessions) => groups.add(at, amounts, sessions()),
    }),
  ]);
  if (!isFound) return undefined;
  groups.addRemaining(remaining);
  return groups.figures();
};

interface Remaining {
  amounts: GroupedResults<Amounts> | undefined;
  members: GroupedResults<Members> | undefined;
}

const readRemaining = async (
  db: Db,
  { selection, sources, keys, counted, offsetSeconds }: ChosenSpan,
  provisional: Date,
): Promise<Remaining> => {
  if (sources.records.length === 0) return { amounts: undefined, members: undefined };
  const records = recordsIn(selection, sources.records);
  const [[amounts], members] = await Promise.all([
    readAmounts(db, { spans: [{ usage: sql`(${records})`, keys, offsetSeconds }], provisional }),
    readMembers(db, { selection, sources, keys: counted, offsetSeconds }),
  ]);
  return { amounts, members };
};

interface Group extends Amounts {
  sims: Set<number>;
  sessions: Set<number>;
  /** Sessions that have no number yet. */
  unnumbered: number;
}

class Groups {
  readonly #span: ChosenSpan;
  readonly #provisional: Date;
  readonly #found: Map<Key, Map<string, Group>>;
  #last: { at: Date; groups: { group: Group; isCounted: boolean }[] } | undefined;

  constructor(span: ChosenSpan, provisional: Date) {
    this.#span = span;
    this.#provisional = provisional;
    this.#found = new Map(span.keys.map((key) => [key, new Map()]));
  }

  add(at: Date, { sim, records, up_bytes, down_bytes }: SimAmounts, sessions: Uint8Array): void {
    const late = at >= this.#provisional ? 1 : 0;
    const amounts = {
      records,
      up_bytes,
      down_bytes,
      late_records: late * records,
      late_up_bytes: late * up_bytes,
      late_down_bytes: late * down_bytes,
    };
    for (const { group, isCounted } of this.#groupsAt(at)) {
      addAmounts(group, amounts);
      if (!isCounted) continue;
      group.sims.add(sim);
      forEachNumber(sessions, (session) => group.sessions.add(session));
    }
  }

  /** SIMs of the same time are consecutive. */
  #groupsAt(at: Date): { group: Group; isCounted: boolean }[] {
    if (this.#last?.at.getTime() !== at.getTime()) {
      const { keys, counted } = this.#span;
      const groups = keys.map((key) => ({
        group: this.#groupOf(key, this.#nameOf(key, at)),
        isCounted: counted.includes(key),
      }));
      this.#last = { at, groups };
    }
    return this.#last.groups;
  }

  addRemaining({ amounts, members }: Remaining): void {
    for (const [key, byName] of amounts ?? []) {
      for (const [name, more] of byName) addAmounts(this.#groupOf(key, name), more);
    }
    for (const [key, byName] of members ?? []) {
      for (const [name, { sims, sessions, unnumbered }] of byName) {
        const group = this.#groupOf(key, name);
        for (const sim of sims) group.sims.add(sim);
        for (const session of sessions) group.sessions.add(session);
        group.unnumbered += unnumbered;
      }
    }
  }

  figures(): Map<Key, Map<string, Amounts & Distinct>> {
    const figuresOf = ({ sims, sessions, unnumbered, ...amounts }: Group) => ({
      ...amounts,
      sims: sims.size,
      sessions: sessions.size + unnumbered,
    });
    return new Map(
      [...this.#found].map(([key, byName]) => [
        key,
        new Map([...byName].map(([name, group]) => [name, figuresOf(group)])),
      ]),
    );
  }

  #nameOf(key: Key, at: Date): string {
    if (key === 'all') return '';
    const moved = new Date(at.getTime() + this.#span.offsetSeconds * 1000).toISOString();
    return key === 'day' ? moved.slice(0, 10) : moved;
  }

  #groupOf(key: Key, name: string): Group {
    const byName = this.#found.get(key);
    const known = byName?.get(name);
    if (known) return known;
    const group = { ...noAmounts, sims: new Set<number>(), sessions: new Set<number>(), unnumbered: 0 };
    byName?.set(name, group);
    return group;
  }
}

const addAmounts = (group: Amounts, more: Amounts): void => {
  group.records += more.records;
  group.up_bytes += more.up_bytes;
  group.down_bytes += more.down_bytes;
  group.late_records += more.late_records;
  group.late_up_bytes += more.late_up_bytes;
  group.late_down_bytes += more.late_down_bytes;
};
