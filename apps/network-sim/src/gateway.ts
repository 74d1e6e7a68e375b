import { openRadiusClient, type RadiusClient } from '@simcube/radius';
import { AccountingOutbox } from './accounting-outbox.ts';
import { type CoaListener, openCoaListener } from './coa-listener.ts';
import type { SimDevice } from './demo-devices.ts';
import { Fleet, type FleetCounts } from './fleet.ts';
import type { Log } from './log.ts';
import { PacketBudget } from './packet-budget.ts';
import type { Scenario, ScenarioEvent } from './scenario.ts';
import { gatewayStatusRequest } from './session.ts';

export interface GatewayOptions {
  scenario: Scenario;
  devices: readonly SimDevice[];
  server: { host: string; authPort: number; acctPort: number; secret: Uint8Array };
  /** Address on which to listen for Disconnect-Requests and CoA-Requests. */
  coa: { host: string; port: number };
  log: Log;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export interface GatewayStats extends FleetCounts {
  readonly active: number;
  readonly waiting: number;
  readonly unacknowledged: number;
  readonly sent: number;
  readonly retransmitted: number;
  /** Invalid replies: late, forged or malformed. */
  readonly ignoredAnswers: number;
}

export interface Gateway {
  readonly coaPort: number;
  stats(): GatewayStats;
  /** Ends the sessions, sends Accounting-Off and closes; takes at most a few seconds. */
  stop(): Promise<void>;
}

/** Interval at which due actions are performed. */
const STEP_MS = 25;
/** Time until accounting without a reply is sent again. */
const RETRY_MS = 1_000;
const STOP_WITHIN_MS = 5_000;

/** Starts a packet gateway: sends Accounting-On, then connects the devices, until `stop`. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { server, scenario } = options;
  const openClient = (port: number): Promise<RadiusClient> =>
    openRadiusClient({
      host: server.host,
      port,
      secret: server.secret,
      sockets: 2,
      window: 128,
      maxQueue: 100_000,
      initialTimeoutMs: scenario.retransmitMs,
      maxRetransmissions: 4,
    });
  const [authentication, accounting] = await Promise.all([
    openClient(server.authPort),
    openClient(server.acctPort),
  ]);
  const gateway = new PacketGateway(options, { authentication, accounting });
  try {
    await gateway.start();
  } catch (error) {
    // Otherwise their sockets would keep the program alive.
    await gateway.stop();
    throw error;
  }
  return gateway;
}

interface Clients {
  authentication: RadiusClient;
  accounting: RadiusClient;
}

class PacketGateway implements Gateway {
  readonly #options: GatewayOptions;
  readonly #clients: Clients;
  readonly #now: () => number;
  readonly #fleet: Fleet;
  readonly #outbox: AccountingOutbox;
  readonly #timers = new Set<NodeJS.Timeout>();
  #listener: CoaListener | undefined;
  #state: 'up' | 'down' | 'stopped' = 'down';

  constructor(options: GatewayOptions, clients: Clients) {
    this.#options = options;
    this.#clients = clients;
    const { scenario, devices } = options;
    this.#now = options.now ?? Date.now;
    const startedMs = this.#now();
    const clock = {
      now: this.#now,
      speed: scenario.speed,
      deviceMs: (wallMs: number): number => startedMs + (wallMs - startedMs) * scenario.speed,
    };
    this.#outbox = new AccountingOutbox({ client: clients.accounting, now: this.#now, retryMs: RETRY_MS });
    this.#fleet = new Fleet({
      scenario,
      devices,
      clock,
      authentication: clients.authentication,
      outbox: this.#outbox,
      budget: new PacketBudget(scenario.maxPacketsPerSecond, this.#now),
    });
  }

  get coaPort(): number {
    return this.#listener?.port ?? 0;
  }

  async start(): Promise<void> {
    const { coa, server, scenario } = this.#options;
    this.#listener = await openCoaListener({
      ...coa,
      secret: server.secret,
      nasIdentifier: scenario.nasIdentifier,
      disconnect: (selector) => this.#state === 'up' && this.#fleet.disconnect(selector),
      changeRates: (selector, rates) => this.#state === 'up' && this.#fleet.changeRates(selector, rates),
    });
    this.#every(STEP_MS, () => {
      if (this.#state === 'up') this.#fleet.step();
    });
    for (const event of scenario.events) this.#schedule(event);
    void this.#startUp();
  }

  stats(): GatewayStats {
    const auth = this.#clients.authentication.stats();
    const acct = this.#clients.accounting.stats();
    return {
      ...this.#fleet.counts,
      active: this.#fleet.active,
      waiting: this.#fleet.waiting,
      unacknowledged: this.#outbox.unacknowledged,
      sent: auth.sent + acct.sent,
      retransmitted: auth.retransmitted + acct.retransmitted,
      ignoredAnswers: auth.ignored + acct.ignored,
    };
  }

  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    const wasUp = this.#state === 'up';
    this.#state = 'stopped';
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#listener?.close();
    if (wasUp) {
      this.#fleet.endAll();
      const isDrained = await this.#outbox.waitUntilDrained(STOP_WITHIN_MS);
      this.#sendStatus('accountingOff');
      const isOff = isDrained && (await this.#outbox.waitUntilDrained(STOP_WITHIN_MS / 2));
      if (!isOff) {
        this.#options.log('warn', 'stopped with accounting unacknowledged', {
          unacknowledged: this.#outbox.unacknowledged,
        });
      }
    }
    this.#outbox.discardAll();
    await Promise.all([this.#clients.authentication.close(), this.#clients.accounting.close()]);
  }

  /** Sessions start once the server has acknowledged Accounting-On, on which it closes old sessions. */
  async #startUp(): Promise<void> {
    this.#sendStatus('accountingOn');
    while (!(await this.#outbox.waitUntilDrained(60_000))) {
      if (this.#state === 'stopped') return;
      this.#options.log('warn', 'no reply to accounting requests from the server');
    }
    if (this.#state !== 'down') return;
    this.#state = 'up';
    this.#fleet.begin();
    this.#options.log('info', 'gateway up', { coaPort: this.coaPort });
  }

  #sendStatus(status: 'accountingOn' | 'accountingOff'): void {
    this.#outbox.push('', status, gatewayStatusRequest(this.#options.scenario, status, this.#now()));
  }

  #schedule(event: ScenarioEvent): void {
    this.#after(event.atSeconds * 1_000, () => {
      this.#runEvent(event);
      if (event.everySeconds !== undefined)
        this.#every(event.everySeconds * 1_000, () => this.#runEvent(event));
    });
  }

  #runEvent(event: ScenarioEvent): void {
    if (this.#state !== 'up') return;
    if (event.do === 'roam') {
      this.#fleet.roam(event.share);
      return;
    }
    this.#options.log('info', 'gateway restarting', { announced: event.announced });
    this.#state = 'down';
    this.#fleet.dropAll();
    this.#outbox.discardAll();
    if (event.announced) this.#sendStatus('accountingOff');
    this.#after(event.downSeconds * 1_000, () => void this.#startUp());
  }

  #after(milliseconds: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #every(milliseconds: number, action: () => void): void {
    this.#timers.add(setInterval(action, milliseconds));
  }
}
