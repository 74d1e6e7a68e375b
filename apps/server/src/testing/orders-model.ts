import type { BundleSpec } from '@simcube/contract/bundle';
import { dayMs, hourMs } from '@simcube/contract/time';

/**
 * What the specification says of a SIM's orders, cycles and quotas, computed from its history step by step and with a
 * calendar of its own, so that it shares no mistake with the code under test. Instants are milliseconds.
 */
export interface ExpectedCycle {
  bundle: BundleSpec;
  start: number;
  /** The end by the bundle's calendar; an order that ends before cuts the cycle short. */
  calendarEnd: number;
  end: number;
  used: number;
  limit: number;
}

interface Plan {
  bundle: BundleSpec;
  start: number;
  end: number;
}

interface TopUp {
  bundle: BundleSpec;
  /** Null while it waits for the SIM to be active. */
  end: number | null;
  left: number;
}

const offsetMs = 8 * hourMs;
const never = Number.POSITIVE_INFINITY;
const quotaOf = ({ quota_bytes }: BundleSpec): number => quota_bytes ?? never;
const endOf = ({ duration_days }: BundleSpec, start: number): number =>
  duration_days === null ? never : start + duration_days * dayMs;

/** The start of the business day that is this many months after the day of an instant; its number at most the month's last. */
const dayAfterMonths = (at: number, months: number, day?: number): number => {
  const local = new Date(at + offsetMs);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day ?? local.getUTCDate(), last)) - offsetMs;
};

/** When the cycle that contains an instant ends, under an order that began at `begin`. */
const calendarEndOf = ({ reset_cycle }: BundleSpec, begin: number, at: number): number => {
  if (reset_cycle === '24h day') return begin + (Math.floor((at - begin) / dayMs) + 1) * dayMs;
  if (reset_cycle === 'day') return (Math.floor((at + offsetMs) / dayMs) + 1) * dayMs - offsetMs;
  if (reset_cycle === 'month') return dayAfterMonths(at, 1, 1);
  const step = reset_cycle === 'full month' ? 1 : 12;
  for (let months = step; ; months += step) {
    const end = dayAfterMonths(begin, months);
    if (end > at) return end;
  }
};

export class ExpectedSim {
  lifecycle: 'active' | 'paused' | 'expired' = 'active';
  readonly cycles: ExpectedCycle[] = [];
  /** The order in use, and those behind it. */
  plan: Plan | null = null;
  readonly waiting: BundleSpec[] = [];
  #topUps: TopUp[] = [];
  /** What top-ups that ended in the running cycle gave in it. */
  #givenBytes = 0;

  get cycle(): ExpectedCycle | null {
    return this.plan ? (this.cycles.at(-1) ?? null) : null;
  }

  get dataState(): number {
    const { cycle } = this;
    if (!cycle || cycle.used < cycle.limit) return 0;
    const { overage_policy: policy, stop_after_bytes: stopAfter } = cycle.bundle;
    if (policy === 'billing and slow down') return 1;
    if (policy === 'stop') return 2;
    return policy === 'billing then stop after' && cycle.used >= cycle.limit + (stopAfter ?? 0) ? 2 : 0;
  }

  order(bundle: BundleSpec, at: number): void {
    this.waiting.push(bundle);
    if (this.plan) return;
    this.lifecycle = 'active';
    this.#startNext(at);
    this.#startTopUps(at);
  }

  topUp(bundle: BundleSpec, at: number): void {
    this.#topUps.push({ bundle, end: null, left: quotaOf(bundle) });
    this.#startTopUps(at);
  }

  pause(at: number): void {
    this.lifecycle = 'paused';
    for (const topUp of this.#running) this.#endTopUp(topUp, at);
  }

  resume(at: number): void {
    this.lifecycle = 'active';
    this.#startTopUps(at);
  }

  /** Counts usage in the cycle that contains its time. */
  use(bytes: number, at: number): void {
    const cycle = this.cycles.find(({ start, end }) => at >= start && at < end);
    if (cycle) cycle.used += bytes;
  }

  /** When the next cycle or top-up ends. */
  get nextEnd(): number {
    return Math.min(this.#firstTopUp?.end ?? never, this.cycle?.end ?? never);
  }

  /** Everything that is due by an instant, each thing at its own. */
  advance(now: number): void {
    for (let at = this.nextEnd; at <= now; at = this.nextEnd) {
      const topUp = this.#firstTopUp;
      if (topUp && (topUp.end ?? never) < (this.cycle?.end ?? never)) this.#endTopUp(topUp, at);
      else this.#turn(at);
    }
  }

  get #firstTopUp(): TopUp | undefined {
    return this.#running.toSorted((one, other) => (one.end ?? never) - (other.end ?? never))[0];
  }

  get #running(): TopUp[] {
    return this.#topUps.filter(({ end, left }) => end !== null && left > 0);
  }

  #turn(at: number): void {
    const { plan } = this;
    for (const [topUp, bytes] of this.#shares()) topUp.left -= bytes;
    if (plan && at < plan.end) {
      this.#openCycle(plan, at);
    } else if (this.waiting.length > 0) {
      this.#startNext(at);
    } else {
      this.plan = null;
      this.lifecycle = 'expired';
      for (const topUp of this.#running) topUp.left = 0;
    }
  }

  #startNext(start: number): void {
    const bundle = this.waiting.shift();
    if (!bundle) return;
    this.plan = { bundle, start, end: endOf(bundle, start) };
    this.#openCycle(this.plan, start);
  }

  #openCycle({ bundle, start: begin, end: planEnd }: Plan, start: number): void {
    const calendarEnd = calendarEndOf(bundle, begin, start);
    this.#givenBytes = 0;
    this.cycles.push({ bundle, start, calendarEnd, end: Math.min(calendarEnd, planEnd), used: 0, limit: 0 });
    this.#updateLimit();
  }

  #startTopUps(at: number): void {
    if (this.lifecycle !== 'active' || !this.plan) return;
    for (const topUp of this.#topUps) topUp.end ??= endOf(topUp.bundle, at);
    this.#updateLimit();
  }

  #endTopUp(topUp: TopUp, at: number): void {
    this.#givenBytes += this.#shares().get(topUp) ?? 0;
    topUp.left = 0;
    topUp.end = at;
    this.#updateLimit();
  }

  #updateLimit(): void {
    const { cycle } = this;
    const left = this.#running.reduce((sum, topUp) => sum + topUp.left, 0);
    if (cycle) cycle.limit = quotaOf(cycle.bundle) + this.#givenBytes + left;
  }

  /** What the running cycle has used of each top-up: usage beyond the quota, the oldest first. */
  #shares(): Map<TopUp, number> {
    const { cycle } = this;
    let beyond = cycle ? Math.max(cycle.used - quotaOf(cycle.bundle) - this.#givenBytes, 0) : 0;
    return new Map(
      this.#running.map((topUp) => {
        const bytes = Math.min(topUp.left, beyond);
        beyond -= bytes;
        return [topUp, bytes];
      }),
    );
  }
}
