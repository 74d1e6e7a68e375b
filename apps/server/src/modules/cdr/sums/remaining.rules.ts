import { NumberReader } from '../../../platform/packed/index.ts';
import { forEachSim } from '../counts/sim-counts.rules.ts';
import { nameOf } from './record-sums.rules.ts';
import type { GroupedResults, Key } from './sums.rules.ts';

/** Members of a group: SIMs by id, sessions by number, and the number of sessions without a number yet. */
export interface Members {
  sims: ReadonlySet<number>;
  sessions: ReadonlySet<number>;
  unnumbered: number;
}

/** Distinct combinations in an hour's records, in columns. */
export interface MemberColumns {
  hour_at: Date;
  plmns: readonly number[];
  radios: readonly number[];
  sims: readonly number[];
  /** Null without a session. */
  sessions: readonly (number | null)[];
}

/** The number of a SIM's session with a key. */
export type NumberOf = (sim: number, session: number) => number | undefined;

/**
 * The sessions of an hour that follow from its counts by SIM: a counted record of a SIM with one session belongs to
 * that session. SIMs with several sessions are omitted, because the counts don't tell which is which.
 */
export const onlySessions = (packed: Uint8Array): Map<number, number> => {
  const found = new Map<number, number>();
  forEachSim(packed, ({ sim }, sessions) => {
    const reader = new NumberReader(sessions());
    if (reader.isDone()) return;
    const number = reader.next();
    if (reader.isDone()) found.set(sim, number);
  });
  return found;
};

interface Group {
  sims: Set<number>;
  sessions: Set<number>;
  /** Sessions without a number, by SIM and key. */
  unnumbered: Set<string>;
}

interface Options {
  keys: readonly Key[];
  /** Seconds added to hours. */
  offsetSeconds: number;
  countryOf: (plmn: number) => string;
}

/** The members in records, by each key and its groups. */
export const membersOf = (
  hours: readonly { columns: MemberColumns; numberOf: NumberOf }[],
  { keys, offsetSeconds, countryOf }: Options,
): GroupedResults<Members> => {
  const groups = new Map(keys.map((key) => [key, new Map<string, Group>()]));
  for (const { columns, numberOf } of hours) {
    const alignedAt = new Date(columns.hour_at.getTime() + offsetSeconds * 1000).toISOString();
    for (const [position, sim] of columns.sims.entries()) {
      const [plmn = 0, radio = 0] = [columns.plmns[position], columns.radios[position]];
      const session = columns.sessions[position] ?? null;
      const number = session === null ? undefined : numberOf(sim, session);
      for (const [key, byName] of groups) {
        const name = key === 'sim' ? String(sim) : nameOf(key, { alignedAt, plmn, radio, countryOf });
        const group = groupIn(byName, name);
        group.sims.add(sim);
        if (number !== undefined) group.sessions.add(number);
        else if (session !== null) group.unnumbered.add(`${sim} ${session}`);
      }
    }
  }
  const counted = ({ unnumbered, ...group }: Group): Members => ({ ...group, unnumbered: unnumbered.size });
  return new Map(
    [...groups].map(([key, byName]) => [
      key,
      new Map([...byName].map(([name, group]) => [name, counted(group)])),
    ]),
  );
};

const groupIn = (byName: Map<string, Group>, name: string): Group => {
  const found = byName.get(name);
  if (found) return found;
  const group = { sims: new Set<number>(), sessions: new Set<number>(), unnumbered: new Set<string>() };
  byName.set(name, group);
  return group;
};
