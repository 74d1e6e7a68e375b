import pg from 'pg';

/**
 * Transactions on a connection of their own, which sends statements without waiting for the answers to those before them. For
 * lookups of a few hundred rows by key: plans are kept, and one that was made while a table was empty must not read all of it
 * later.
 */
export class Pipeline {
  readonly #pool: pg.Pool;
  #client: Promise<pg.PoolClient> | undefined;
  #users = 0;
  #broken: Error | undefined;

  constructor(pool: pg.Pool, onLost: (error: Error) => void) {
    const { options = '', ...rest } = pool.options;
    const byKey = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
    this.#pool = new pg.Pool({ ...rest, max: 1, pipeline: true, options: `${options} ${byKey}` });
    this.#pool.on('error', onLost);
    // The holder of a connection that is lost gets the error of its statement, too.
    this.#pool.on('connect', (client) => client.on('error', onLost));
  }

  /**
   * `inTransaction`, but begin goes out with the first statements of `work`, and the commit with its `last` ones, of which
   * nothing but the commit waits for the answer. Any that fails rolls back. One transaction after the other: the next may begin
   * as soon as the commit of the one before is on its way, which `committing` is called for.
   */
  async transaction<T>(
    work: (tx: pg.PoolClient, last: (sent: Promise<unknown>) => void) => Promise<T>,
    committing: () => void = () => undefined,
  ): Promise<T> {
    const client = await this.#take();
    const lasting: Promise<unknown>[] = [];
    const last = (sent: Promise<unknown>) => {
      // Waited for below, where it may have failed already.
      sent.catch(() => undefined);
      lasting.push(sent);
    };
    let isEnding = false;
    try {
      const [, result] = await inOneWrite(client, () =>
        Promise.all([client.query('begin'), work(client, last)]),
      );
      isEnding = true;
      const commit = client.query('commit');
      committing();
      const [{ command }] = await Promise.all([commit, ...lasting]);
      // Of a transaction in which a statement failed.
      if (command !== 'COMMIT') throw new Error(`The transaction was not committed but: ${command}`);
      return result;
    } catch (error) {
      // After a commit, whatever it did, the connection may be in the next transaction already.
      if (isEnding) this.#broken = error as Error;
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

/** What is sent before the first answer is waited for costs one system call. */
const inOneWrite = <T>({ connection }: pg.PoolClient, send: () => T): T => {
  connection.stream.cork();
  try {
    return send();
  } finally {
    connection.stream.uncork();
  }
};
