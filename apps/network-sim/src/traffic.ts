import { type DeviceKindName, deviceKindNames } from './device-kinds.ts';
import type { DeviceUsage } from './device-usage.ts';
import { minuteMs } from './time.ts';

/** If the machine slept for longer than this, there was no usage in the meantime. */
const MAX_GAP_MS = 5 * minuteMs;

/** A device that may have traffic. */
export interface TrafficSource {
  readonly usage: DeviceUsage;
  /** Its last attempt to connect failed: its usage is dropped, not taken over by others. */
  readonly isRejected: boolean;
}

/** A session's share in the traffic of its kind. */
export interface TrafficShare {
  readonly kind: DeviceKindName;
  readonly weight: number;
  /** Value of its kind's counter when the session last took its share. */
  mark: number;
}

/** Traffic of one kind, in mean days of that kind. */
interface Pool {
  /** Traffic per unit of weight since the start; only grows. */
  usagePerWeight: number;
  /** Usage while no session of the kind was open; carried by the next one. */
  undistributed: number;
  /** Total weight of the open sessions. */
  weight: number;
  /** Number of open sessions with a weight. */
  carriers: number;
  /** Usage of all devices of the kind in the current minute. */
  minute: number;
}

/**
 * Divides the usage of the whole fleet among the open sessions. The fleet's usage follows the wall clock and is the same as in
 * the history; the number and turnover of sessions only decide which of them carry it. Live traffic therefore continues the
 * history without a step at any speed and with any number of sessions.
 */
export class Traffic {
  readonly #sources: readonly TrafficSource[];
  readonly #pools = new Map<DeviceKindName, Pool>(
    deviceKindNames.map((name) => [
      name,
      { usagePerWeight: 0, undistributed: 0, weight: 0, carriers: 0, minute: 0 },
    ]),
  );
  #atMs: number | undefined;
  #minute = Number.NaN;

  constructor(sources: readonly TrafficSource[]) {
    this.#sources = sources;
  }

  /** Devices use data from now on. */
  begin(nowMs: number): void {
    this.#atMs = nowMs;
    this.#minute = Number.NaN;
  }

  /** The gateway is down: there is no usage until the next `begin`, and pending usage is lost. */
  end(): void {
    this.#atMs = undefined;
    for (const pool of this.#pools.values())
      Object.assign(pool, { undistributed: 0, weight: 0, carriers: 0 });
  }

  join(kind: DeviceKindName, weight: number, nowMs: number): TrafficShare {
    this.#advance(nowMs);
    const pool = this.#pool(kind);
    pool.weight += weight;
    if (weight > 0) pool.carriers += 1;
    return { kind, weight, mark: pool.usagePerWeight };
  }

  leave({ kind, weight }: TrafficShare): void {
    const pool = this.#pool(kind);
    if (weight > 0) pool.carriers -= 1;
    // Set to 0 for the last one rather than subtracted: a rounding residue would receive a day's volume.
    pool.weight = pool.carriers > 0 ? pool.weight - weight : 0;
  }

  /** Traffic of a session since its last call, in mean days of its kind. */
  take(share: TrafficShare, nowMs: number): number {
    this.#advance(nowMs);
    const { usagePerWeight } = this.#pool(share.kind);
    const taken = share.weight * (usagePerWeight - share.mark);
    share.mark = usagePerWeight;
    return taken;
  }

  #advance(nowMs: number): void {
    if (this.#atMs === undefined) return;
    this.#atMs = Math.max(this.#atMs, nowMs - MAX_GAP_MS);
    while (this.#atMs < nowMs) {
      const minute = Math.floor(this.#atMs / minuteMs);
      if (minute !== this.#minute) this.#measure(minute);
      const untilMs = Math.min(nowMs, (minute + 1) * minuteMs);
      const part = (untilMs - this.#atMs) / minuteMs;
      for (const pool of this.#pools.values()) addUsage(pool, pool.minute * part);
      this.#atMs = untilMs;
    }
  }

  /** Computes the usage of each kind once per minute, not at every packet. */
  #measure(minute: number): void {
    this.#minute = minute;
    for (const pool of this.#pools.values()) pool.minute = 0;
    const fromMs = minute * minuteMs;
    for (const { usage, isRejected } of this.#sources) {
      if (!isRejected) this.#pool(usage.kind.name).minute += usage.shareOf(fromMs, fromMs + minuteMs);
    }
  }

  #pool(kind: DeviceKindName): Pool {
    const pool = this.#pools.get(kind);
    if (pool === undefined) throw new RangeError(`Unknown kind of device: ${kind}`);
    return pool;
  }
}

function addUsage(pool: Pool, amount: number): void {
  if (pool.weight > 0) {
    pool.usagePerWeight += (pool.undistributed + amount) / pool.weight;
    pool.undistributed = 0;
  } else {
    pool.undistributed += amount;
  }
}
