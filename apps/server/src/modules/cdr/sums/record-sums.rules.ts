import { type Amounts, type Distinct, type Key, noAmounts } from './sums.rules.ts';

/** Records of one session that are alike in all that they are summed by, together. */
export interface RecordRow extends Pick<Amounts, 'records' | 'up_bytes' | 'down_bytes'> {
  /** When they ended, in which network and with which radio type, as one number (`kindOf`). */
  kind: number;
  sim_id: number;
  session_key: number | null;
}

/** More than there are of each. */
export const networksMost = 1_000_000;
export const radiosMost = 1000;

/** What records are summed by, beside SIMs. */
export type RecordKey = Exclude<Key, 'sim'>;

interface Options {
  keys: readonly RecordKey[];
  /** Those of which SIMs and sessions are counted, too. */
  counted: readonly RecordKey[];
  /** Added to times, in seconds. */
  later: number;
  /** Of what is of the hours from then on, sums stand by themselves as well. */
  provisional: Date;
  countryOf: (plmn: number) => string;
}

interface Group extends Amounts, Distinct {
  isCounted: boolean;
  /** Those that were counted last. */
  sim: number;
  session: number | null;
}

/** The groups that records of a kind are of, one of each key. */
interface Kind {
  isLate: boolean;
  groups: Group[];
}

/**
 * Adds up records by all keys at once, each row being read once: to sort them by each of the keys, as the database would, takes
 * many times as long. They come by SIM and session, so that each group need not know more of its SIMs and sessions than the
 * last one.
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
    const { keys, counted, later, provisional, countryOf } = this.#options;
    const { start, plmn, radio } = partsOf(number);
    const shown = new Date(start + later * 1000).toISOString();
    const groups = keys.map((key) => {
      const name = nameOf(key, { shown, plmn, radio, countryOf });
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

const hourMs = 3_600_000;

const partsOf = (kind: number): { start: number; plmn: number; radio: number } => {
  const network = Math.floor(kind / radiosMost);
  return {
    start: Math.floor(network / networksMost) * hourMs,
    plmn: network % networksMost,
    radio: kind % radiosMost,
  };
};

interface Named {
  /** When the hour or the day begins beside which it stands. */
  shown: string;
  plmn: number;
  radio: number;
  countryOf: (plmn: number) => string;
}

export const nameOf = (key: RecordKey, { shown, plmn, radio, countryOf }: Named): string => {
  const day = shown.slice(0, 10);
  switch (key) {
    case 'all':
      return '';
    case 'hour':
      return `${shown.slice(0, 13)}:00:00.000Z`;
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

/** No SIM's id. */
const noSim = -1;
