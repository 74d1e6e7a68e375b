import type pg from 'pg';
import { bytesPerVolume, type Phase } from '../radius-packets.ts';
import type { Tally } from './drill.ts';

type Counts = Map<number, number>;

const increment = (counts: Counts, imsi: number): void => {
  counts.set(imsi, (counts.get(imsi) ?? 0) + 1);
};

/** Accounting sent for each SIM; when the load has paused, all of it is acknowledged. */
export class AccountingWatch {
  readonly #starts: Counts = new Map();
  readonly #stops: Counts = new Map();
  readonly #volumes: Counts = new Map();

  recordSent(imsi: number, phase: Phase): void {
    if (phase === 'start') increment(this.#starts, imsi);
    else increment(this.#volumes, imsi);
    if (phase === 'stop') increment(this.#stops, imsi);
  }

  /** Number of SIMs that have used at least this many octets. */
  countAbove(bytes: number): number {
    return [...this.#volumes.values()].filter((volumes) => volumes * bytesPerVolume >= bytes).length;
  }

  /** By SIM, so that too little for one is not compensated by too much for another. */
  async tallies(client: pg.Client): Promise<Tally[]> {
    const { rows } = await client.query<Record<'imsi' | 'starts' | 'stops' | 'volumes', number>>(
      `select s.imsi::float8 as imsi, coalesce(r.starts, 0)::int as starts, coalesce(r.stops, 0)::int as stops,
         coalesce(c.bytes / $1, 0)::float8 as volumes
       from sims s
       left join (select sim_id, count(*) as starts, count(stopped_at) as stops from radius_sessions group by 1) r
         on r.sim_id = s.id
       left join (select sim_id, sum(up_bytes + down_bytes) as bytes from cdrs group by 1) c on c.sim_id = s.id
       where r.sim_id is not null or c.sim_id is not null`,
      [bytesPerVolume],
    );
    const tally = (what: string, sent: Counts, name: 'starts' | 'stops' | 'volumes'): Tally => {
      const stored = new Map(rows.map((row) => [row.imsi, row[name]]));
      const sims = new Set([...sent.keys(), ...stored.keys()]);
      const differences = [...sims].map((imsi) => (stored.get(imsi) ?? 0) - (sent.get(imsi) ?? 0));
      return {
        what,
        sent: sum(sent.values()),
        acknowledged: sum(sent.values()),
        stored: sum(stored.values()),
        lost: sum(differences.map((difference) => Math.max(0, -difference))),
        doubled: sum(differences.map((difference) => Math.max(0, difference))),
      };
    };
    return [
      tally('sessions begun', this.#starts, 'starts'),
      tally('sessions ended', this.#stops, 'stops'),
      tally('usage reports of 100,000 octets', this.#volumes, 'volumes'),
    ];
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, number) => all + number, 0);
