import { hourMs } from '@simcube/contract/time';
import { type Amounts, type Distinct, type Key, noAmounts } from './sums.rules.ts';

/** Records of one session that belong to the same groups, combined. */
export interface RecordRow extends Pick<Amounts, 'records' | 'up_bytes' | 'down_bytes'> {
  /** Time of their end, network and radio type, as one number (`partsOf` splits it). */
  kind: number;
  sim_id: number;
  session_key: number | null;
}

/** More than exist of each. */
export const networkFactor = 1_000_000;
export const radioFactor = 1000;

/** The keys by which records are summed, except SIMs. */
export type RecordKey = Exclude<Key, 'sim'>;

interface Options {
  keys: readonly RecordKey[];
  /** The keys for which SIMs and sessions are counted, too. */
  counted: readonly RecordKey[];
  /** Seconds added to times. */
  offsetSeconds: number;
  /** Hours from this time on are also summed separately. */
  provisional: Date;
  countryOf: (plmn: number) => string;
}

interface Group extends Amounts, Distinct {
  isCounted: boolean;
  /** The SIM and session counted last. */
  sim: number;
  session: number | null;
}

/** The groups of records of a kind, one for each key. */
interface Kind {
  isLate: boolean;
  groups: Group[];
}

/**
 * Adds up records by all keys in one pass; sorting them by each key, as the database would, takes many times as long.
 * Records must be ordered by SIM and session, so that each group only needs to remember the last SIM and session it
 * counted.
 */
export class RecordSums {
  readonly #options: Options;
  readonly #groups: Map<RecordKey, Map<string, Group>>;
  readonly #kinds = new Map<number, Kind>();

  constructor(options: Options) {
    this.#options = options;
    this.#groups = new Map(options.keys.map((key) => [key, new Map()]));
  }

  add({ kind, sim_id: sim, session_key: session, records, up_bytes, down_bytes }: RecordRow): void {
    const { isLate, groups } = this.#kinds.get(kind) ?? this.#begin(kind);
    for (const group of groups) {
      group.records += records;
      group.up_bytes += up_bytes;
      group.down_bytes += down_bytes;
      if (isLate) {
        group.late_records += records;
        group.late_up_bytes += up_bytes;
        group.late_down_bytes += down_bytes;
      }
      if (group.isCounted) count(group, sim, session);
    }
  }

  figures(): Map<RecordKey, Map<string, Amounts & Distinct>> {
    const figuresOf = ({ isCounted: _, sim: __, session: ___, ...figures }: Group) => figures;
    return new Map(
      [...this.#groups].map(([key, byName]) => [
        key,
        new Map([...byName].map(([name, group]) => [name, figuresOf(group)])),
      ]),
    );
  }

  #begin(number: number): Kind {
    const { keys, counted, offsetSeconds, provisional, countryOf } = this.#options;
    const { start, plmn, radio } = partsOf(number);
    const alignedAt = new Date(start + offsetSeconds * 1000).toISOString();
    const groups = keys.map((key) => {
      const name = nameOf(key, { alignedAt, plmn, radio, countryOf });
      return this.#groupOf(key, name, counted.includes(key));
    });
    const kind = { isLate: start >= provisional.getTime(), groups };
    this.#kinds.set(number, kind);
    return kind;
  }

  #groupOf(key: RecordKey, name: string, isCounted: boolean): Group {
    const byName = this.#groups.get(key);
    const found = byName?.get(name);
    if (found) return found;
    const group = { ...noAmounts, sims: 0, sessions: 0, isCounted, sim: noSim, session: null };
    byName?.set(name, group);
    return group;
  }
}

const count = (group: Group, sim: number, session: number | null): void => {
  if (group.sim !== sim) {
    group.sims += 1;
    group.sim = sim;
    group.session = null;
  }
  if (session !== null && group.session !== session) {
    group.sessions += 1;
    group.session = session;
  }
};

const partsOf = (kind: number): { start: number; plmn: number; radio: number } => {
  const network = Math.floor(kind / radioFactor);
  return {
    start: Math.floor(network / networkFactor) * hourMs,
    plmn: network % networkFactor,
    radio: kind % radioFactor,
  };
};

interface Named {
  /** Start of the hour or day that it is aligned with. */
  alignedAt: string;
  plmn: number;
  radio: number;
  countryOf: (plmn: number) => string;
}

export const nameOf = (key: RecordKey, { alignedAt, plmn, radio, countryOf }: Named): string => {
  const day = alignedAt.slice(0, 10);
  switch (key) {
    case 'all':
      return '';
    case 'hour':
      return `${alignedAt.slice(0, 13)}:00:00.000Z`;
    case 'day':
      return day;
    case 'country':
      return countryOf(plmn);
    case 'operator':
      return String(plmn);
    case 'radio':
      return String(radio);
    case 'day_radio':
      return `${day} ${radio}`;
    case 'day_operator':
      return `${day} ${plmn}`;
  }
};

/** Not the id of any SIM. */
const noSim = -1;
