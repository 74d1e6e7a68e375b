import pg from 'pg';

type Outage = 'read-only' | 'refusing';

const settings: Record<Outage, { begin: string; end: string }> = {
  'read-only': {
    begin: 'set default_transaction_read_only = on',
    end: 'reset default_transaction_read_only',
  },
  refusing: { begin: 'with allow_connections false', end: 'with allow_connections true' },
};

/**
 * Makes one database of the server reject writes, or all connections, as after a failover; open sessions end.
 * Other databases of the server are not affected.
 * @returns a function that ends it and leaves open sessions as they are
 */
export const beginOutage = async (url: string, outage: Outage): Promise<() => Promise<void>> => {
  const name = new URL(url).pathname.slice(1);
  const admin = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: new URL('/postgres', url).href });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await admin(
    `alter database ${name} ${settings[outage].begin}`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  return () => admin(`alter database ${name} ${settings[outage].end}`);
};
