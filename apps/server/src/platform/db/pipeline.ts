import pg from 'pg';

/**
 * A pool of one connection, which sends statements without waiting for the answers to those before them. For lookups of a few
 * hundred rows by key: plans are kept, and one that was made while a table was empty must not read all of it later.
 */
export const pipelining = (pool: pg.Pool): pg.Pool => {
  const { options = '', ...rest } = pool.options;
  const byKey = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
  const alone = new pg.Pool({ ...rest, max: 1, pipeline: true, options: `${options} ${byKey}` });
  // The holder of a connection that is lost gets the error of its statement, too.
  alone.on('connect', (client) => client.on('error', (error) => alone.emit('error', error, client)));
  return alone;
};

/**
 * `inTransaction` on such a connection: begin goes out with the first statements of `work`, and the commit with its `last`
 * ones, of which nothing but the commit waits for the answer. Any that fails rolls back.
 */
export const inPipeline = async <T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient, last: (sent: Promise<unknown>) => void) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  const lasting: Promise<unknown>[] = [];
  const last = (sent: Promise<unknown>) => {
    // Waited for below, where it may have failed already.
    sent.catch(() => undefined);
    lasting.push(sent);
  };
  try {
    const [, result] = await inOneWrite(client, () =>
      Promise.all([client.query('begin'), work(client, last)]),
    );
    const [{ command }] = await Promise.all([client.query('commit'), ...lasting]);
    // Of a transaction in which a statement failed.
    if (command !== 'COMMIT') throw new Error(`The transaction was not committed but: ${command}`);
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

/** What is sent before the first answer is waited for costs one system call. */
const inOneWrite = <T>({ connection }: pg.PoolClient, send: () => T): T => {
  connection.stream.cork();
  try {
    return send();
  } finally {
    connection.stream.uncork();
  }
};
