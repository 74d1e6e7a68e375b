import {
  type ClientState,
  type Closure,
  type DataBody,
  type MessageBody,
  readReceipt,
  type SubmitMessage,
  type SubmitOutcome,
} from '@simcube/smpp';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Listener } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import {
  type ConnectionRow,
  connectionsChannel,
  listConnections,
  saveState,
} from '../connections/connections.queries.ts';
import { waitingChannel } from '../messages/messages.queries.ts';
import { Batches } from './batches.ts';
import { Connections, type OpenConnection } from './connections.ts';
import {
  applyInterruption,
  applyOutcomes,
  applyTime,
  type PartOutcome,
  validityMs,
} from './outcomes.service.ts';
import { claimParts, countQueue } from './queue.queries.ts';
import { outcomeOf, type ReceivedReceipt, settling } from './receipts.rules.ts';
import { applyReceipts, applyWaited } from './receipts.service.ts';
import { applyIncomplete, applyReceived } from './received.service.ts';
import { Repetitions } from './repetitions.ts';
import { type ClaimedPart, submitOf } from './submit.rules.ts';

export interface GatewayOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  vault: Vault;
  listener: Listener;
  /** So often it looks for what it was not told of, and for what time decides. */
  sweepMs?: number;
}

const batchMost = 1000;
const claimMost = 500;
const pollMs = 1000;

/**
 * The way to the network, of the one process that has it: parts are marked as submitting before they are written, so that
 * after any crash what may have been sent is not sent again; what becomes of them is stored in batches.
 */
export class SmsGateway {
  readonly #options: GatewayOptions;
  readonly #connections: Connections;
  readonly #outcomes: Batches<PartOutcome>;
  readonly #receipts: Batches<ReceivedReceipt>;
  readonly #received: Batches<MessageBody | DataBody>;
  /** Parts by what was written for them, for answers after their time. */
  readonly #written = new WeakMap<SubmitMessage, number>();
  readonly #repetitions = new Repetitions();
  /** One after the other, so that no two transactions wait for each other's messages. */
  #storing: Promise<unknown> = Promise.resolve();
  #pumping: Promise<void> | undefined;
  #isWanted = false;
  #timers: NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const { log } = options;
    const batches = <T>(
      what: string,
      kept: boolean,
      store: (tx: pg.PoolClient, items: readonly T[]) => Promise<void>,
    ) =>
      new Batches<T>({
        most: batchMost,
        kept,
        store: (items) => this.#store((tx) => store(tx, items)),
        onError: (error) => log.error({ err: error, what }, 'messages could not be stored'),
      });
    const now = () => options.clock.now();
    this.#outcomes = batches('outcomes', true, (tx, items) => applyOutcomes(tx, items, now()));
    this.#receipts = batches('receipts', false, (tx, items) => applyReceipts(tx, items, now()));
    this.#received = batches('received', false, (tx, items) => applyReceived(tx, items, now()));
    this.#connections = new Connections(options.vault, {
      onMessage: (row, message) => this.#take(row, message),
      onUnanswered: ({ name }, message) => this.#repetitions.expect(name, message),
      onLate: (message, outcome) => this.#correct(message, outcome),
      onState: (row, state, closure) => this.#note(row, state, closure),
    });
  }

  async start(): Promise<void> {
    const { listener, log, sweepMs = 30_000 } = this.#options;
    const interrupted = await this.#store((tx) => applyInterruption(tx, this.#options.clock.now()));
    if (interrupted > 0) log.warn({ parts: interrupted }, 'messages were interrupted and are unknown');
    await listener.on(waitingChannel, () => this.#pump());
    await listener.on(connectionsChannel, () => this.#follow());
    await this.#connections.follow(await listConnections(this.#options.pool));
    this.#timers = [
      setInterval(() => this.#pump(), pollMs),
      setInterval(() => this.#quietly(() => this.sweep()), sweepMs),
    ];
  }

  /** What time decides: messages without a receipt, receipts without a message, long messages without all their parts. */
  async sweep(): Promise<void> {
    const { clock, metrics, pool } = this.#options;
    await this.#store((tx) => applyTime(tx, clock.now()));
    const dropped = await this.#store((tx) => applyWaited(tx, clock.now()));
    metrics.smsReceived.inc({ kind: 'receipt-unmatched' }, dropped);
    await this.#store((tx) => applyIncomplete(tx, clock.now()));
    const { waiting } = await countQueue(pool);
    metrics.smsWaiting.set(waiting);
  }

  /** Writes nothing more, waits a moment for answers, and stores what came. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#pumping;
    await this.#connections.close();
    await Promise.all([this.#outcomes.stop(), this.#receipts.stop(), this.#received.stop()]);
    await this.#storing;
  }

  #store<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
    const done = this.#storing.then(() => inTransaction(this.#options.pool, work));
    this.#storing = done.catch(() => undefined);
    return done;
  }

  #quietly(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      if (!this.#isStopped)
        this.#options.log.error({ err: error }, 'the SMS gateway failed in part of its work');
    });
  }

  #follow(): void {
    if (this.#isStopped) return;
    this.#quietly(async () => this.#connections.follow(await listConnections(this.#options.pool)));
  }

  /** Claims what the connections have room for, until nothing waits. */
  #pump(): void {
    this.#isWanted = true;
    if (this.#isStopped || this.#pumping !== undefined) return;
    this.#pumping = this.#claim()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'messages could not be claimed'))
      .finally(() => {
        this.#pumping = undefined;
      });
  }

  async #claim(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      const ready = this.#connections.ready();
      const room = ready.reduce((sum, one) => sum + roomOf(one), 0);
      if (room <= 0) return;
      const { pool, clock } = this.#options;
      const most = Math.min(room, claimMost);
      const parts = await claimParts(pool, { most, now: clock.now() });
      if (parts.length === most) this.#isWanted = true;
      for (const part of parts) this.#submit(part, ready);
    }
  }

  #submit(part: ClaimedPart, ready: readonly OpenConnection[]): void {
    const connection = ready.reduce((best, one) => (roomOf(one) > roomOf(best) ? one : best));
    const validitySeconds = validityMs / 1000;
    const message = submitOf(part, { defaultSender: connection.row.sender, validitySeconds });
    if (!message) throw new Error(`Message ${part.messageId} has no part ${part.part}`);
    this.#written.set(message, part.id);
    this.#quietly(async () => {
      const outcome = await connection.client.submit(message);
      this.#options.metrics.smsSubmitted.inc({ connection: connection.row.name, outcome: outcome.outcome });
      this.#pump();
      await this.#outcomes.add({ id: part.id, ...outcomeOf(outcome) });
    });
  }

  #correct(message: SubmitMessage, outcome: SubmitOutcome): void {
    const id = this.#written.get(message);
    if (id !== undefined) this.#quietly(() => this.#outcomes.add({ id, ...outcomeOf(outcome) }));
  }

  async #take({ name }: ConnectionRow, message: MessageBody | DataBody): Promise<void> {
    const { metrics } = this.#options;
    const receipt = readReceipt(message);
    metrics.smsReceived.inc({ kind: receipt ? 'receipt' : 'message', connection: name });
    if (!receipt) return this.#repetitions.once(name, message, () => this.#received.add(message));
    const found = settling(receipt);
    if (found) await this.#receipts.add(found);
  }

  #note(row: ConnectionRow, state: ClientState | 'unreadable', closure: Closure | undefined): void {
    const { pool, clock, metrics, log } = this.#options;
    metrics.smscBound.set({ connection: row.name }, state === 'bound' ? 1 : 0);
    const error = state === 'waiting' && closure ? `${closure.reason} ${closure.detail}`.trim() : null;
    if (error !== null) log.warn({ connection: row.name, error }, 'a connection to an SMSC was lost');
    this.#quietly(() => saveState(pool, { id: row.id, state, error, now: clock.now() }));
    if (state === 'bound') this.#pump();
  }
}

/**
 * Parts ahead of the answers: the next ones are there when one is answered, and each commit marks many. After a crash so many
 * are unknown at most, so it is not more.
 */
const windowsAhead = 4;

const roomOf = ({ row, client }: OpenConnection): number => {
  const { inFlight, waiting } = client.stats();
  return windowsAhead * row.window_size - inFlight - waiting;
};
