import pg from 'pg';

/**
 * Transactions on a separate connection, which sends statements without waiting for earlier results. For
 * lookups of a few hundred rows by key: plans are cached, and one made while a table was empty must not scan
 * all of it later.
 */
export class Pipeline {
  readonly #pool: pg.Pool;
  #client: Promise<pg.PoolClient> | undefined;
  #users = 0;
  #broken: Error | undefined;

  constructor(pool: pg.Pool, onLost: (error: Error) => void) {
    const { options = '', ...rest } = pool.options;
    const plannerOptions = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
    this.#pool = new pg.Pool({ ...rest, max: 1, pipeline: true, options: `${options} ${plannerOptions}` });
    this.#pool.on('error', onLost);
    // The client's holder also gets the error, from its statement.
    this.#pool.on('connect', (client) => client.on('error', onLost));
  }

  /**
   * Like `inTransaction`, but begin is sent with the first statements of `work`, and the commit with its last
   * ones (`addTrailing`), whose results `work` does not await. If any fails, all are rolled back. Transactions
   * run one after the other: the next may begin as soon as the previous commit has been sent, when `onCommit`
   * is called.
   */
  async transaction<T>(
    work: (tx: pg.PoolClient, addTrailing: (sent: Promise<unknown>) => void) => Promise<T>,
    onCommit: () => void = () => undefined,
  ): Promise<T> {
    const client = await this.#take();
    const trailing: Promise<unknown>[] = [];
    const addTrailing = (sent: Promise<unknown>) => {
      // Awaited below; it may fail before that.
      sent.catch(() => undefined);
      trailing.push(sent);
    };
    let isCommitting = false;
    try {
      const [, result] = await corked(client, () =>
        Promise.all([client.query('begin'), work(client, addTrailing)]),
      );
      isCommitting = true;
      const commit = client.query('commit');
      onCommit();
      const [{ command }] = await Promise.all([commit, ...trailing]);
      // The transaction had a failed statement, so the commit became a rollback.
      if (command !== 'COMMIT') throw new Error(`The transaction was not committed but: ${command}`);
      return result;
    } catch (error) {
      // After the commit was sent, whatever its result, the connection may already be in the next transaction.
      if (isCommitting) this.#broken = error as Error;
      else
        await client.query('rollback').catch((failure: Error) => {
          this.#broken = failure;
        });
      throw error;
    } finally {
      this.#leave(client);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #take(): Promise<pg.PoolClient> {
    this.#users += 1;
    this.#client ??= this.#pool.connect();
    try {
      return await this.#client;
    } catch (error) {
      this.#leave(undefined);
      throw error;
    }
  }

  #leave(client: pg.PoolClient | undefined): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    client?.release(this.#broken);
    this.#client = undefined;
    this.#broken = undefined;
  }
}

/** Sends everything up to the first awaited result with one system call. */
const corked = <T>({ connection }: pg.PoolClient, send: () => T): T => {
  connection.stream.cork();
  try {
    return send();
  } finally {
    connection.stream.uncork();
  }
};
