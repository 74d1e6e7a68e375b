import pg from 'pg';
import { limitNodeConnections, planOnce, refuseReadOnly, safeTypes } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';

const maxPlanLifetimeMs = 60_000;

const prepare = async (client: pg.Client): Promise<void> => {
  await refuseReadOnly(client);
  await planOnce(client);
  await limitNodeConnections(client);
};

/** A pipelining connection for batches, opened on demand and reopened when it is lost. */
export class LaneConnection {
  readonly #options: { url: string; name: string; log: Log };
  #client: pg.Client | undefined;
  #planLifetimeMs = 0;
  #plansExpireAt = 0;

  constructor(options: { url: string; name: string; log: Log }) {
    this.#options = options;
  }

  /** @throws the connection error */
  async use(now: number): Promise<pg.Client> {
    const client = this.#client ?? (await this.#connect());
    this.#discardStalePlans(client, now);
    return client;
  }

  async end(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }

  /**
   * A plan made while a table was nearly empty uses a bad join order and is cached. So cached plans are discarded,
   * often at first and less often as the connection ages.
   */
  #discardStalePlans(client: pg.Client, now: number): void {
    if (now < this.#plansExpireAt) return;
    this.#planLifetimeMs = Math.min(this.#planLifetimeMs * 2, maxPlanLifetimeMs);
    this.#plansExpireAt = now + this.#planLifetimeMs;
    client.query('discard plans').catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const { url, name, log } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      pipeline: true,
      keepAlive: true,
      types: safeTypes,
      connectionTimeoutMillis: 5_000,
      query_timeout: 60_000,
      // Batches are hundreds of rows against tables of millions: always row by row through the index.
      options:
        '-c timezone=UTC -c statement_timeout=45s -c lock_timeout=20s ' +
        '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c jit=off -c synchronous_commit=on',
    });
    const onLost = (error?: Error) => {
      if (this.#client !== client) return;
      this.#client = undefined;
      if (error) log.warn({ err: error }, 'the database connection of an accounting lane was lost');
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    await client.connect();
    await prepare(client).catch((error: Error) => {
      client.end().catch(() => undefined);
      throw error;
    });
    this.#client = client;
    this.#planLifetimeMs = 50;
    this.#plansExpireAt = 0;
    return client;
  }
}
