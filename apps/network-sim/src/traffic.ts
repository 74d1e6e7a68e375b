import { type DeviceKindName, deviceKindNames } from './device-kinds.ts';
import type { DeviceUsage } from './device-usage.ts';

const MINUTE_MS = 60_000;
/** The machine slept for longer than this: there was no usage meanwhile. */
const LONGEST_GAP_MS = 5 * MINUTE_MS;

/** A device that may have something to transmit. */
export interface TrafficSource {
  readonly usage: DeviceUsage;
  /** Its last attempt to get in failed: what it would have used is not used by others in its place. */
  readonly isRejected: boolean;
}

/** What one session takes part with. */
export interface TrafficShare {
  readonly kind: DeviceKindName;
  readonly weight: number;
  /** How far its kind's counter was when the session last took its part. */
  mark: number;
}

/** Of one kind, in mean days of that kind. */
interface Pool {
  /** What each unit of weight has been given since the start: grows only. */
  given: number;
  /** Used while no session of the kind was open; the next one carries it. */
  held: number;
  /** Of the open sessions. */
  weight: number;
  /** Open sessions that have a weight. */
  carriers: number;
  /** What all devices of the kind use in the running minute. */
  minute: number;
}

/**
 * Shares what the whole fleet uses among the sessions that are open. What the fleet uses follows the wall clock and is
 * the same as in the history; how many sessions there are, and how fast they come and go, only decides who carries it.
 * So live traffic joins the history without a step at any speed, and however few sessions the gateway admits.
 */
export class Traffic {
  readonly #sources: readonly TrafficSource[];
  readonly #pools = new Map<DeviceKindName, Pool>(
    deviceKindNames.map((name) => [name, { given: 0, held: 0, weight: 0, carriers: 0, minute: 0 }]),
  );
  #atMs: number | undefined;
  #minute = Number.NaN;

  constructor(sources: readonly TrafficSource[]) {
    this.#sources = sources;
  }

  /** From now on the devices use data. */
  begin(nowMs: number): void {
    this.#atMs = nowMs;
    this.#minute = Number.NaN;
  }

  /** The gateway is down: nothing is used until the next `begin`, and pending usage is lost. */
  end(): void {
    this.#atMs = undefined;
    for (const pool of this.#pools.values()) Object.assign(pool, { held: 0, weight: 0, carriers: 0 });
  }

  join(kind: DeviceKindName, weight: number, nowMs: number): TrafficShare {
    this.#advance(nowMs);
    const pool = this.#pool(kind);
    pool.weight += weight;
    if (weight > 0) pool.carriers += 1;
    return { kind, weight, mark: pool.given };
  }

  leave({ kind, weight }: TrafficShare): void {
    const pool = this.#pool(kind);
    if (weight > 0) pool.carriers -= 1;
    // Set, not subtracted, for the last one: a rest of rounding would be given a day's volume.
    pool.weight = pool.carriers > 0 ? pool.weight - weight : 0;
  }

  /** What a session has carried since it last asked, in mean days of its kind. */
  take(share: TrafficShare, nowMs: number): number {
    this.#advance(nowMs);
    const { given } = this.#pool(share.kind);
    const taken = share.weight * (given - share.mark);
    share.mark = given;
    return taken;
  }

  #advance(nowMs: number): void {
    if (this.#atMs === undefined) return;
    this.#atMs = Math.max(this.#atMs, nowMs - LONGEST_GAP_MS);
    while (this.#atMs < nowMs) {
      const minute = Math.floor(this.#atMs / MINUTE_MS);
      if (minute !== this.#minute) this.#measure(minute);
      const untilMs = Math.min(nowMs, (minute + 1) * MINUTE_MS);
      const part = (untilMs - this.#atMs) / MINUTE_MS;
      for (const pool of this.#pools.values()) give(pool, pool.minute * part);
      this.#atMs = untilMs;
    }
  }

  /** Once a minute, not at every packet: what each kind uses in it. */
  #measure(minute: number): void {
    this.#minute = minute;
    for (const pool of this.#pools.values()) pool.minute = 0;
    const fromMs = minute * MINUTE_MS;
    for (const { usage, isRejected } of this.#sources) {
      if (!isRejected) this.#pool(usage.kind.name).minute += usage.shareOf(fromMs, fromMs + MINUTE_MS);
    }
  }

  #pool(kind: DeviceKindName): Pool {
    const pool = this.#pools.get(kind);
    if (pool === undefined) throw new RangeError(`No such kind of device: ${kind}`);
    return pool;
  }
}

function give(pool: Pool, amount: number): void {
  if (pool.weight > 0) {
    pool.given += (pool.held + amount) / pool.weight;
    pool.held = 0;
  } else {
    pool.held += amount;
  }
}
