import { hourMs, secondMs } from '@simcube/contract/time';
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
import { inTransaction, type Listener, Pipeline } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { closureText } from '../connections/closure.rules.ts';
import {
  type ConnectionRow,
  connectionsChannel,
  listConnections,
  saveState,
} from '../connections/connections.queries.ts';
import { waitingChannel } from '../messages/messages.queries.ts';
import { Batches } from './batches.ts';
import { Claims } from './claims.ts';
import { Connections, type OpenConnection } from './connections.ts';
import { orderedStateWriter } from './ordered-state-writer.ts';
import { applyInterruption, applyTimeouts, overdueBefore, validityMs } from './outcomes.service.ts';
import { type Claim, claimParts, countQueue, endClaims, takeOver } from './queue.queries.ts';
import { deleteSeenReceipts, listSeenReceipts } from './receipts.queries.ts';
import {
  finalReceipt,
  lateOutcomeOf,
  outcomeOf,
  type PartOutcome,
  type ReceivedReceipt,
  unwritable,
  withheld,
} from './receipts.rules.ts';
import { applyUnmatchedReceipts } from './receipts.service.ts';
import { withAlphabet } from './received.rules.ts';
import { applyIncomplete, applyReceived } from './received.service.ts';
import { Repetitions } from './repetitions.ts';
import { applyResults } from './results.service.ts';
import { maxSeenReceipts, SeenReceipts } from './seen-receipts.ts';
import { type ClaimedPart, submitMessage } from './submit.rules.ts';
import { TransactionQueue } from './transaction-queue.ts';

export interface GatewayOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  vault: Vault;
  listener: Listener;
  /** Interval of checks for missed notifications and for timeouts. */
  sweepMs?: number;
}

const batchSize = 1000;
const pollMs = 1000;
/**
 * Maximum number of windows of a connection whose parts may be claimed without a stored result: after a crash, at
 * most these are unknown.
 */
const maxClaimedWindows = 4;

/** A response or receipt from an SMSC; for a response, with its connection. */
type SmscResult =
  | { kind: 'outcome'; part: PartOutcome; from: OpenConnection | undefined }
  | { kind: 'receipt'; receipt: ReceivedReceipt };

/**
 * The SMPP gateway, active in one process at a time. Parts are claimed before they are written, so that after any
 * crash a part that may have been sent is not sent again. Results are stored in batches, each in one transaction with
 * the next claim.
 */
export class SmsGateway {
  readonly #options: GatewayOptions;
  readonly #connections: Connections;
  /** A dedicated connection: each round trip of a batch would cost more than its statements. */
  readonly #pipeline: Pipeline;
  readonly #results: Batches<SmscResult>;
  readonly #received: Batches<MessageBody | DataBody>;
  /** Parts by the message that was written for them, for late responses. */
  readonly #written = new WeakMap<SubmitMessage, ClaimedPart>();
  readonly #claims = new Claims();
  /** The connection of the last part written, and that part's message. */
  #lastRoute: { messageId: number; connection: OpenConnection } | undefined;
  readonly #repetitions: Repetitions;
  readonly #seenReceipts = new SeenReceipts();
  readonly #transactions = new TransactionQueue();
  #epoch = 0;
  /** Whether unexamined parts may be waiting. */
  #mayHaveWaiting = true;
  #wakeUps = 0;
  /** Number of parts being claimed by transactions in progress. */
  #claiming = 0;
  /** Stores the states of connections in order. */
  readonly #saveState: ReturnType<typeof orderedStateWriter>;
  #syncing: Promise<void> = Promise.resolve();
  #timers: NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#repetitions = new Repetitions(() => options.clock.now().getTime());
    this.#saveState = orderedStateWriter((state) => saveState(options.pool, state));
    const { log } = options;
    this.#pipeline = new Pipeline(options.pool, (error) =>
      log.warn({ err: error }, 'the database connection of the SMS gateway was lost'),
    );
    const shared = {
      batchSize,
      onError: (error: unknown) => log.error({ err: error }, 'messages could not be stored'),
    };
    this.#results = new Batches<SmscResult>({
      ...shared,
      isRetried: ({ kind }) => kind === 'outcome',
      store: (results, next) => this.#storeAndClaim(results, next),
    });
    this.#received = new Batches<MessageBody | DataBody>({
      ...shared,
      isRetried: () => false,
      store: (messages) => this.#store((tx) => applyReceived(tx, messages, options.clock.now())),
    });
    this.#connections = new Connections(options.vault, {
      onMessage: (row, message) => this.#receive(row, message),
      onUnanswered: ({ name }, message) => this.#repetitions.expect(name, message),
      onLateOutcome: (message, outcome) => this.#correctOutcome(message, outcome),
      onState: (row, state, closure) => this.#recordState(row, state, closure),
    });
  }

  async start(): Promise<void> {
    const { listener, log, sweepMs = 30_000 } = this.#options;
    const { epoch, seen, interrupted } = await this.#store(async (tx) => ({
      epoch: await takeOver(tx),
      seen: await listSeenReceipts(tx),
      interrupted: await applyInterruption(tx, this.#options.clock.now()),
    }));
    this.#epoch = epoch;
    this.#seenReceipts.load(seen);
    if (interrupted > 0)
      log.warn({ parts: interrupted }, 'messages were interrupted; their outcome is unknown');
    await listener.on(waitingChannel, () => this.#wake());
    await listener.on(connectionsChannel, () => this.#quietly(() => this.#syncConnections()));
    await this.#syncConnections();
    this.#timers = [
      setInterval(() => this.#rescan(), pollMs),
      setInterval(() => this.#quietly(() => this.sweep()), sweepMs),
    ];
  }

  /** Handles timeouts: messages without a receipt, receipts without a message, incomplete long messages. */
  async sweep(): Promise<void> {
    const { metrics, pool } = this.#options;
    try {
      await this.#sweepDue();
      metrics.smsWaiting.set((await countQueue(pool)).waiting);
    } catch (error) {
      // Nobody could tell the last value from the present one.
      metrics.smsWaiting.remove();
      throw error;
    }
  }

  async #sweepDue(): Promise<void> {
    const { clock, metrics, pool } = this.#options;
    await this.#repeatWhileDue((tx) => applyTimeouts(tx, clock.now()));
    await this.#repeatWhileDue(async (tx) => {
      const { dropped, isMoreDue } = await applyUnmatchedReceipts(tx, clock.now());
      metrics.smsReceived.inc({ kind: 'receipt-unmatched' }, dropped);
      return isMoreDue;
    });
    await this.#repeatWhileDue((tx) => applyIncomplete(tx, clock.now()));
    const before = new Date(clock.now().getTime() - hourMs);
    await deleteSeenReceipts(pool, { before, limit: maxSeenReceipts });
  }

  /** Repeats until nothing is due; one round per sweep might fall behind. */
  async #repeatWhileDue(round: (tx: pg.PoolClient) => Promise<boolean>): Promise<void> {
    let isMoreDue = true;
    while (isMoreDue && !this.#isStopped) isMoreDue = await this.#store(round);
  }

  /** Stops writing, waits briefly for responses, and stores what arrived. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#transactions.idle(), this.#syncing]);
    await this.#connections.close();
    // The next process reports it.
    this.#options.metrics.smscBound.reset();
    this.#options.metrics.smsWaiting.set(0);
    await Promise.all([this.#results.stop(), this.#received.stop()]);
    await this.#transactions.idle();
    await this.#pipeline.end();
  }

  #store<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#transactions.run(() => inTransaction(this.#options.pool, work));
  }

  #quietly(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      if (!this.#isStopped) this.#options.log.error({ err: error }, 'an operation of the SMS gateway failed');
    });
  }

  /** Changes are applied one after the other: an earlier read must not reopen a connection that a later change removed. */
  #syncConnections(): Promise<void> {
    const synced = this.#syncing.then(async () => {
      if (this.#isStopped) return;
      await this.#dropOtherMetrics(await this.#connections.sync(() => listConnections(this.#options.pool)));
    });
    this.#syncing = synced.catch(() => undefined);
    return synced;
  }

  /** A removed connection must not count as lost: its alert would never end. */
  async #dropOtherMetrics(names: ReadonlySet<string>): Promise<void> {
    const { smscBound } = this.#options.metrics;
    for (const { labels } of (await smscBound.get()).values)
      if (!names.has(String(labels.connection))) smscBound.remove(labels);
  }

  /** Claims parts for the room in the connections. */
  #wake(): void {
    this.#mayHaveWaiting = true;
    this.#wakeUps += 1;
    if (!this.#isStopped) this.#results.wake();
  }

  /** Starts again from the first part: some were returned to the queue, and some were committed after later ones. */
  #rescan(): void {
    this.#claims.after = 0;
    this.#wake();
  }

  /**
   * Stores responses and claims parts for the resulting room in one commit, then writes them. During the commit, the
   * `next` batch is already being sent.
   */
  async #storeAndClaim(results: readonly SmscResult[], next: () => void): Promise<void> {
    const outcomes = results.flatMap((one) => (one.kind === 'outcome' ? [one] : []));
    const receipts = results.flatMap((one) => (one.kind === 'receipt' ? [one.receipt] : []));
    const settled = outcomes.map(({ part }) => part.id);
    const stored = this.#connections.all().map((one) => {
      const count = outcomes.filter(({ from }) => from === one).length;
      one.storing += count;
      return { one, count };
    });
    const ended = this.#claims.completedBy(settled);
    let capacity = 0;
    const claimNext = (tx: pg.PoolClient) => async () => {
      const ready = this.#isStopped ? [] : this.#connections.ready();
      const all = ready.reduce((sum, one) => sum + Math.max(0, capacityOf(one)), 0);
      capacity = Math.max(0, all - this.#claiming);
      this.#claiming += capacity;
      return { ready, claim: await this.#claim(tx, { capacity, ended }) };
    };
    try {
      const { ready, claim } = await this.#transactions.runPipelined((done) =>
        this.#pipeline.transaction(
          (tx, awaitBeforeCommit) =>
            applyResults(
              { tx, awaitBeforeCommit },
              { outcomes: outcomes.map(({ part }) => part), receipts },
              { now: this.#options.clock.now(), next: claimNext(tx) },
            ),
          () => {
            done();
            next();
          },
        ),
      );
      this.#claims.settle(settled, ended);
      for (const { one, count } of stored) {
        one.uncommitted -= count;
        one.recentlyStored = Math.max(count, Math.floor(one.recentlyStored / 2));
      }
      if (claim) this.#write(claim, ready);
    } finally {
      this.#claiming -= capacity;
      for (const { one, count } of stored) one.storing -= count;
    }
    if (outcomes.some(({ part }) => part.outcome === 'not-sent')) this.#rescan();
  }

  async #claim(
    tx: pg.PoolClient,
    { capacity, ended }: { capacity: number; ended: readonly number[] },
  ): Promise<Claim | undefined> {
    if (capacity <= 0 || !this.#mayHaveWaiting) {
      await endClaims(tx, ended);
      return undefined;
    }
    const wakeUps = this.#wakeUps;
    const claim = await claimParts(tx, {
      epoch: this.#epoch,
      limit: capacity,
      after: this.#claims.after,
      ended,
      overdueBefore: overdueBefore(this.#options.clock.now()),
    });
    const count = claim ? claim.parts.length + claim.withheld.length : 0;
    if (count < capacity && wakeUps === this.#wakeUps) this.#mayHaveWaiting = false;
    return claim;
  }

  #write(claim: Claim, ready: readonly OpenConnection[]): void {
    this.#claims.add(claim);
    for (const part of claim.parts) this.#submit(part, ready);
    for (const { id, destination, reason } of claim.withheld)
      this.#settle({ id, destination, ...withheld(reason) });
  }

  /**
   * Parts of a message, which are claimed one after the other, use the same connection: phones only join parts from
   * one sender, and some SMSCs only parts from one client.
   */
  #routeFor({ messageId }: ClaimedPart, ready: readonly OpenConnection[]): OpenConnection {
    const last = this.#lastRoute;
    if (last?.messageId === messageId && ready.includes(last.connection)) return last.connection;
    const connection = ready.reduce((best, one) => (capacityOf(one) > capacityOf(best) ? one : best));
    this.#lastRoute = { messageId, connection };
    return connection;
  }

  #submit(part: ClaimedPart, ready: readonly OpenConnection[]): void {
    const connection = this.#routeFor(part, ready);
    const message = submitMessage(part, connection.row, validityMs / secondMs);
    const { id, destination } = part;
    if (!message) {
      this.#settle({ id, destination, ...unwritable });
      return;
    }
    this.#written.set(message, part);
    connection.uncommitted += 1;
    this.#quietly(async () => {
      const outcome = await connection.client.submit(message);
      this.#options.metrics.smsSubmitted.inc({ connection: connection.row.name, outcome: outcome.outcome });
      this.#settle({ id, destination, ...outcomeOf(outcome) }, connection);
    });
  }

  #settle(part: PartOutcome, from?: OpenConnection): void {
    this.#quietly(() => this.#results.add({ kind: 'outcome', part, from }));
  }

  #correctOutcome(message: SubmitMessage, outcome: SubmitOutcome): void {
    const part = this.#written.get(message);
    if (part) this.#settle({ id: part.id, destination: part.destination, ...lateOutcomeOf(outcome) });
  }

  async #receive({ name, default_alphabet }: ConnectionRow, message: MessageBody | DataBody): Promise<void> {
    const { metrics } = this.#options;
    const receipt = readReceipt(message);
    metrics.smsReceived.inc({ kind: receipt ? 'receipt' : 'message', connection: name });
    if (!receipt)
      return this.#repetitions.once(name, message, () =>
        this.#received.add(withAlphabet(message, default_alphabet)),
      );
    const final = finalReceipt(receipt);
    if (!final) return;
    await this.#seenReceipts.store(final, (marked) =>
      this.#results.add({ kind: 'receipt', receipt: marked }),
    );
  }

  #recordState(row: ConnectionRow, state: ClientState | 'unreadable', closure: Closure | undefined): void {
    const { clock, metrics, log } = this.#options;
    metrics.smscBound.set({ connection: row.name }, state === 'bound' ? 1 : 0);
    const error = state === 'waiting' && closure ? closureText(closure) : null;
    if (error !== null) log.warn({ connection: row.name, error }, 'a connection to an SMSC was lost');
    this.#quietly(() => this.#saveState({ id: row.id, state, error, now: clock.now() }));
    if (state === 'bound') this.#rescan();
  }
}

/**
 * A window of parts is at the SMSC; as many parts as recently answered are being stored, and as many wait to be
 * written. Results being stored are committed before what is claimed after them, so they don't count.
 */
const capacityOf = ({ row, uncommitted, storing, recentlyStored }: OpenConnection): number =>
  Math.min(row.window_size + 2 * recentlyStored, maxClaimedWindows * row.window_size) -
  (uncommitted - storing);
