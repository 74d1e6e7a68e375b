import pg from 'pg';
import { limitNodeConnections, planOnce, refuseReadOnly, safeTypes } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';

const longestPlanMs = 60_000;

const prepare = async (client: pg.Client): Promise<void> => {
  await refuseReadOnly(client);
  await planOnce(client);
  await limitNodeConnections(client);
};

/** A pipelining connection for batches, opened on demand and reopened when it is lost. */
export class LaneConnection {
  readonly #options: { url: string; name: string; log: Log };
  #client: pg.Client | undefined;
  #plansFor = 0;
  #plansUntil = 0;

  constructor(options: { url: string; name: string; log: Log }) {
    this.#options = options;
  }

  /** @throws the connection error */
  async use(now: number): Promise<pg.Client> {
    const client = this.#client ?? (await this.#connected());
    this.#planAnew(client, now);
    return client;
  }

  async end(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }

  /**
   * A plan made while a table was nearly empty uses a bad join order and is cached. So cached plans are discarded,
   * often at first and less often as the connection ages.
   */
  #planAnew(client: pg.Client, now: number): void {
    if (now < this.#plansUntil) return;
    this.#plansFor = Math.min(this.#plansFor * 2, longestPlanMs);
    this.#plansUntil = now + this.#plansFor;
    client.query('discard plans').catch(() => undefined);
  }

  async #connected(): Promise<pg.Client> {
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
    const lost = (error?: Error) => {
      if (this.#client !== client) return;
      this.#client = undefined;
      if (error) log.warn({ err: error }, 'the database connection of an accounting lane was lost');
    };
    client.on('error', lost);
    client.on('end', () => lost());
    await client.connect();
    await prepare(client).catch((error: Error) => {
      client.end().catch(() => undefined);
      throw error;
    });
    this.#client = client;
    this.#plansFor = 50;
    this.#plansUntil = 0;
    return client;
  }
}
