import {
  attribute,
  type RadiusClient,
  type RadiusPacket,
  radiusCode,
  readAttribute,
  terminateCause,
} from '@simcube/radius';
import type { AccountingOutbox } from './accounting-outbox.ts';
import type { SessionSelector } from './coa-listener.ts';
import { otherImei, type SimDevice } from './demo-devices.ts';
import { addressesOf, createRun, matchRun } from './device-run.ts';
import { EventQueue } from './event-queue.ts';
import type { Place } from './mobility.ts';
import type { PacketBudget } from './packet-budget.ts';
import { type Rates, readRates } from './rates.ts';
import type { Scenario } from './scenario.ts';
import {
  accessRequest,
  accountingRequest,
  countTraffic,
  type DeviceClock,
  type DeviceRun,
  type Session,
} from './session.ts';
import { endOf, idleMs, interimMs } from './session-times.ts';
import { dayMs, hourMs } from './time.ts';
import { Traffic } from './traffic.ts';

/** Wall time until a device retries after no reply or a disconnect. */
const RETRY_MS = { least: 5_000, most: 15_000 };
/** No new sessions while more accounting than this is unacknowledged. */
const MAX_UNACKNOWLEDGED = 20_000;
/** Standard deviation of the logarithm of a session's traffic relative to others of its device. */
const SESSION_SPREAD = 0.3;

export interface FleetOptions {
  scenario: Scenario;
  devices: readonly SimDevice[];
  clock: DeviceClock & { now: () => number };
  authentication: RadiusClient;
  outbox: AccountingOutbox;
  budget: PacketBudget;
}

export interface FleetCounts {
  authorisations: number;
  accepts: number;
  rejects: number;
  unanswered: number;
  starts: number;
  interims: number;
  stops: number;
  lostStops: number;
  disconnects: number;
  rateChanges: number;
}

interface SessionEnd {
  run: DeviceRun;
  now: number;
  cause: number;
  /** False: the Stop is lost. */
  isReported: boolean;
  /** The device reconnects immediately, in the same place. */
  keepsSlot?: boolean;
}

interface Plan {
  run: DeviceRun;
  turn: number;
}

/** All devices behind the gateway: each is idle, being authorised, or in a session, and has at most one scheduled action. */
export class Fleet {
  readonly counts: FleetCounts = {
    authorisations: 0,
    accepts: 0,
    rejects: 0,
    unanswered: 0,
    starts: 0,
    interims: 0,
    stops: 0,
    lostStops: 0,
    disconnects: 0,
    rateChanges: 0,
  };

  readonly #options: FleetOptions;
  readonly #runs: readonly DeviceRun[];
  readonly #traffic: Traffic;
  readonly #plans = new EventQueue<Plan>();
  readonly #waiting: DeviceRun[] = [];
  readonly #bySession = new Map<string, DeviceRun>();
  readonly #byImsi = new Map<string, DeviceRun>();
  #authorising = 0;
  #sessionNumber = 0;
  #boot = '';

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#runs = options.devices.map((device) => createRun(device, options.scenario.seed));
    this.#traffic = new Traffic(this.#runs);
  }

  get active(): number {
    return this.#bySession.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Called when the gateway is up: some devices connect immediately, the others gradually. */
  begin(): void {
    const now = this.#options.clock.now();
    // Session ids must differ from those before a restart (RFC 2866 §5.5), so they contain the second of the start.
    this.#boot = Math.floor(now / 1_000).toString(16);
    this.#traffic.begin(now);
    for (const run of this.#runs) {
      const {
        usage: { kind },
        random,
      } = run;
      const onShare = Math.min(0.9, (kind.sessionsPerDay * kind.sessionHours) / 24);
      const delay = random.chance(onShare)
        ? random.between(0, RETRY_MS.most)
        : idleMs(run, this.#options.clock.speed);
      this.#plan(run, now + delay);
    }
  }

  /** Performs due actions within the packet budget. */
  step(): void {
    const { budget, clock } = this.#options;
    const now = clock.now();
    // A device that waited because of too many unacknowledged entries has no session to end.
    this.#admitNext();
    while (budget.available) {
      const plan = this.#plans.popDue(now);
      if (plan === undefined) return;
      if (plan.turn === plan.run.turn) this.#advance(plan.run, now);
    }
  }

  disconnect(selector: SessionSelector): boolean {
    const run = this.#find(selector);
    if (run === undefined) return false;
    this.counts.disconnects += 1;
    run.wasDisconnected = true;
    const now = this.#options.clock.now();
    this.#end({ run, now, cause: terminateCause.adminReset, isReported: true });
    this.#plan(run, now + run.random.between(RETRY_MS.least, RETRY_MS.most));
    return true;
  }

  changeRates(selector: SessionSelector, rates: Rates): boolean {
    const run = this.#find(selector);
    if (run?.session === undefined) return false;
    this.counts.rateChanges += 1;
    // Traffic up to now is counted at the old rate.
    this.#count(run, run.session, this.#options.clock.now());
    run.session.rates = rates;
    return true;
  }

  /** Moves a share of the active devices to another location at their next update. */
  roam(share: number): void {
    for (const run of this.#bySession.values()) {
      if (run.random.chance(share)) run.shiftMs += run.usage.kind.moveEveryHours * hourMs * 97;
    }
  }

  /** Ends every session and schedules nothing more: an orderly shutdown of the gateway. */
  endAll(): void {
    const now = this.#options.clock.now();
    this.#plans.clear();
    this.#waiting.length = 0;
    for (const run of [...this.#bySession.values()]) {
      this.#end({ run, now, cause: terminateCause.nasReboot, isReported: true });
    }
    this.#traffic.end();
    // An Accept that arrives now no longer opens a session.
    for (const run of this.#runs) run.turn += 1;
  }

  /** Drops every session without reporting it. */
  dropAll(): void {
    this.#traffic.end();
    this.#plans.clear();
    this.#waiting.length = 0;
    this.#bySession.clear();
    this.#byImsi.clear();
    for (const run of this.#runs) {
      run.phase = 'idle';
      run.session = undefined;
      run.turn += 1;
    }
  }

  #plan(run: DeviceRun, dueMs: number): void {
    run.turn += 1;
    this.#plans.push(dueMs, { run, turn: run.turn });
  }

  #advance(run: DeviceRun, now: number): void {
    const { session } = run;
    if (session !== undefined) this.#update(run, session, now);
    else if (!this.#isFull()) void this.#authorise(run);
    // A device that was just disconnected asks again immediately and does not lose its place to the queue.
    else if (run.wasDisconnected) this.#waiting.unshift(run);
    else this.#waiting.push(run);
  }

  #isFull(): boolean {
    const { scenario, outbox } = this.#options;
    return (
      this.active + this.#authorising >= scenario.maxActive || outbox.unacknowledged > MAX_UNACKNOWLEDGED
    );
  }

  #place(run: DeviceRun, now: number): Place {
    const { clock, scenario } = this.#options;
    const roaming = run.shiftMs > 0 ? Math.max(4, scenario.roaming) : scenario.roaming;
    return run.usage.mobility.at(clock.deviceMs(now) + run.shiftMs, roaming);
  }

  async #authorise(run: DeviceRun): Promise<void> {
    const { authentication, scenario, clock, budget } = this.#options;
    run.phase = 'authorising';
    const { turn, device, random } = run;
    if (random.chance(scenario.imeiChangeChance)) {
      run.imeiChanges += 1;
      run.imei = otherImei(device, run.imeiChanges);
    }
    const place = this.#place(run, clock.now());
    const chargingId = random.integer(2 ** 32);
    const attributes = accessRequest({ gateway: scenario, device, imei: run.imei, place, chargingId });
    this.#authorising += 1;
    this.counts.authorisations += 1;
    budget.take();
    const reply = await authentication.send({ code: radiusCode.accessRequest, attributes });
    this.#authorising -= 1;
    // The gateway has restarted or stopped in the meantime.
    if (run.turn !== turn) return;
    run.phase = 'idle';
    run.isRejected = !(reply.ok && reply.packet.code === radiusCode.accessAccept);
    if (reply.ok && !run.isRejected) {
      this.counts.accepts += 1;
      run.rejections = 0;
      run.wasDisconnected = false;
      this.#open({ run, accept: reply.packet, place, chargingId });
      return;
    }
    this.#plan(run, clock.now() + this.#retryMs(run, reply.ok));
    this.#admitNext();
  }

  /** Long and increasing after a Reject (or a Challenge, which no SIM can answer); short if there was no reply. */
  #retryMs(run: DeviceRun, isRefused: boolean): number {
    if (!isRefused) {
      this.counts.unanswered += 1;
      return run.random.between(RETRY_MS.least, RETRY_MS.most);
    }
    this.counts.rejects += 1;
    const { first, most } = this.#options.scenario.rejectBackoffSeconds;
    const seconds = Math.min(most, first * 2 ** Math.min(run.rejections, 20));
    run.rejections += 1;
    return seconds * 1_000 * run.random.between(0.75, 1.25);
  }

  #open(options: { run: DeviceRun; accept: RadiusPacket; place: Place; chargingId: number }): void {
    const { run, accept, place, chargingId } = options;
    const { clock, scenario } = this.#options;
    const now = clock.now();
    const classValue = readAttribute(accept, attribute.class);
    this.#sessionNumber += 1;
    const end = endOf(run, accept, { now, speed: clock.speed });
    run.phase = 'active';
    run.session = {
      id: `${scenario.nasIdentifier}-${this.#boot}-${this.#sessionNumber.toString(16)}`,
      chargingId,
      place,
      startedMs: now,
      ...end,
      interimMs: interimMs(run, accept, { wanted: scenario.interimSeconds, speed: clock.speed }),
      addresses: addressesOf(run.device, accept),
      class: classValue === undefined ? undefined : Buffer.from(classValue),
      share: this.#traffic.join(
        run.usage.kind.name,
        run.usage.factorOn(Math.floor(now / dayMs)) * run.random.factor(SESSION_SPREAD),
        now,
      ),
      rates: readRates(accept) ?? { up: undefined, down: undefined },
      up: 0,
      down: 0,
      countedMs: now,
    };
    this.#bySession.set(run.session.id, run);
    this.#byImsi.set(run.device.imsi, run);
    this.counts.starts += 1;
    this.#report({ run, session: run.session, status: 'start', nowMs: now });
    this.#planUpdate(run, run.session, now);
  }

  #planUpdate(run: DeviceRun, session: Session, now: number): void {
    this.#plan(run, Math.min(session.endsMs, now + session.interimMs * run.random.between(0.95, 1.05)));
  }

  /** An update is due: counts traffic; the device may have moved, or the session may be over. */
  #update(run: DeviceRun, session: Session, now: number): void {
    const { scenario } = this.#options;
    if (now >= session.endsMs) {
      const isReported = !run.random.chance(scenario.lostStopShare);
      this.#end({ run, now, cause: session.endCause, isReported });
      this.#plan(run, now + idleMs(run, this.#options.clock.speed));
      return;
    }
    const place = this.#place(run, now);
    if (place.operator.country !== session.place.operator.country) {
      // Another network's core takes over: the old bearer ends, and a new one is requested.
      this.#end({ run, now, cause: terminateCause.lostCarrier, isReported: true, keepsSlot: true });
      void this.#authorise(run);
      return;
    }
    this.#count(run, session, now);
    session.place = place;
    this.counts.interims += 1;
    this.#report({ run, session, status: 'interimUpdate', nowMs: now });
    this.#planUpdate(run, session, now);
  }

  #end(options: SessionEnd): void {
    const { run, now, cause, isReported } = options;
    const { session } = run;
    if (session === undefined) return;
    this.#count(run, session, now);
    this.#traffic.leave(session.share);
    if (isReported) {
      this.counts.stops += 1;
      this.#report({ run, session, status: 'stop', nowMs: now, terminateCause: cause });
    } else {
      this.counts.lostStops += 1;
    }
    this.#bySession.delete(session.id);
    this.#byImsi.delete(run.device.imsi);
    run.session = undefined;
    run.phase = 'idle';
    if (options.keepsSlot !== true) this.#admitNext();
  }

  #count(run: DeviceRun, session: Session, nowMs: number): void {
    const { usage } = run;
    const share =
      this.#traffic.take(session.share, nowMs) * (this.#options.scenario.volume[usage.kind.name] ?? 1);
    countTraffic(usage, session, { share, nowMs });
  }

  #report(report: Omit<Parameters<typeof accountingRequest>[0], 'gateway'>): void {
    const { outbox, budget, scenario } = this.#options;
    budget.take();
    outbox.push(report.session.id, report.status, accountingRequest({ gateway: scenario, ...report }));
  }

  #admitNext(): void {
    const next = this.#isFull() ? undefined : this.#waiting.shift();
    if (next !== undefined) this.#plan(next, this.#options.clock.now());
  }

  #find(selector: SessionSelector): DeviceRun | undefined {
    const { sessionId, imsi } = selector;
    if (sessionId !== undefined) return matchRun(this.#bySession.get(sessionId), selector);
    if (imsi !== undefined) return matchRun(this.#byImsi.get(imsi), selector);
    for (const run of this.#bySession.values()) if (matchRun(run, selector) !== undefined) return run;
    return undefined;
  }
}
