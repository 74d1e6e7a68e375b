import type { DataBody, MessageBody } from '@simcube/smpp';
import {
  type ClientState,
  type Closure,
  SmppClient,
  type SubmitMessage,
  type SubmitOutcome,
} from '@simcube/smpp';
import { UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import type { ConnectionRow } from '../connections/connections.queries.ts';

/** A connection that is open, or being reopened. */
export interface OpenConnection {
  row: ConnectionRow;
  client: SmppClient;
  /** Parts passed to it whose result is not stored yet. */
  uncommitted: number;
  /** The number of these for which a transaction is in progress. */
  storing: number;
  /** The number stored by its recent batches. */
  recentlyStored: number;
}

export interface ConnectionEvents {
  onMessage: (row: ConnectionRow, message: MessageBody | DataBody) => Promise<void>;
  onUnanswered: (row: ConnectionRow, message: MessageBody | DataBody) => void;
  onLateOutcome: (message: SubmitMessage, outcome: SubmitOutcome) => void;
  onState: (row: ConnectionRow, state: ClientState | 'unreadable', closure: Closure | undefined) => void;
}

/** The open connections of this process, one for each configured connection; reopened when its configuration changes. */
export class Connections {
  readonly #vault: Vault;
  readonly #events: ConnectionEvents;
  readonly #open = new Map<number, OpenConnection>();

  constructor(vault: Vault, events: ConnectionEvents) {
    this.#vault = vault;
    this.#events = events;
  }

  /**
   * Opens new connections, closes removed ones, and reopens changed ones with the configuration that is current once
   * the former connection is closed.
   * @returns the names of the current connections
   */
  async sync(list: () => Promise<readonly ConnectionRow[]>): Promise<ReadonlySet<string>> {
    let rows = await list();
    const configured = new Map(rows.map((row) => [row.id, row]));
    const changed = [...this.#open.values()].filter(({ row }) => {
      const now = configured.get(row.id);
      return !now || fingerprint(now) !== fingerprint(row);
    });
    if (changed.length > 0) {
      for (const { row } of changed) this.#open.delete(row.id);
      await Promise.all(changed.map(({ client }) => client.close()));
      rows = await list();
    }
    for (const row of rows) if (!this.#open.has(row.id)) this.#start(row);
    return new Set(rows.map(({ name }) => name));
  }

  /**
   * The connections to use for messages: only those of the highest priority that has one whose SMSC works, or if none does, one
   * that is bound.
   */
  ready(): OpenConnection[] {
    const bound = [...this.#open.values()].flatMap((one) => {
      const { state, isFailing } = one.client.stats();
      return one.row.bind !== 'receiver' && state === 'bound' ? [{ one, isFailing }] : [];
    });
    const working = bound.filter(({ isFailing }) => !isFailing);
    const usable = (working.length > 0 ? working : bound).map(({ one }) => one);
    const first = Math.min(...usable.map(({ row }) => row.priority));
    return usable.filter(({ row }) => row.priority === first);
  }

  all(): OpenConnection[] {
    return [...this.#open.values()];
  }

  async close(): Promise<void> {
    const open = this.all();
    this.#open.clear();
    await Promise.all(open.map(({ client }) => client.close()));
  }

  #start(row: ConnectionRow): void {
    const password = this.#passwordOf(row);
    if (password === undefined) return;
    const client = new SmppClient({
      host: row.host,
      port: row.port,
      ...(row.tls && { tls: {} }),
      bind: row.bind,
      systemId: row.system_id,
      password,
      systemType: row.system_type,
      addressRange: { ton: row.address_range_ton, npi: row.address_range_npi, address: row.address_range },
      window: row.window_size,
      ...(row.rate_per_second !== null && { rate: row.rate_per_second }),
      onMessage: (message) => this.#events.onMessage(row, message),
      onUnanswered: (message) => this.#events.onUnanswered(row, message),
      onLateOutcome: this.#events.onLateOutcome,
      onState: (state, closure) => this.#events.onState(row, state, closure),
    });
    this.#open.set(row.id, { row, client, uncommitted: 0, storing: 0, recentlyStored: 0 });
  }

  #passwordOf(row: ConnectionRow): string | undefined {
    try {
      return this.#vault.open(row.sealed_password);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.#events.onState(row, 'unreadable', undefined);
      return undefined;
    }
  }
}

const fingerprint = (row: ConnectionRow): string => {
  const { state: _, state_at: __, state_error: ___, sealed_password, ...settings } = row;
  return JSON.stringify({ ...settings, sealed: sealed_password.toString('hex') });
};
