import pg from 'pg';

/** Runs `work` on a separate connection to one database. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** The address of another database on the same server. */
export const databaseAt = (server: string, name: string): string => new URL(`/${name}`, server).href;

/**
 * Addresses of all servers of a Citus cluster, the coordinator's first, from its database `postgres`; for a
 * server that is not a coordinator, only its own.
 */
export const listServers = (url: string): Promise<string[]> =>
  withClient(databaseAt(url, 'postgres'), async (client) => {
    const { rows: extension } = await client.query<{ cluster: boolean }>(
      `select to_regclass('pg_dist_node') is not null as cluster`,
    );
    if (extension[0]?.cluster !== true) return [url];
    const { rows } = await client.query<{ nodename: string; nodeport: number }>(
      `select nodename, nodeport from pg_dist_node where noderole = 'primary' and groupid > 0 order by groupid`,
    );
    return [
      url,
      ...rows.map(({ nodename, nodeport }) => {
        const worker = new URL(url);
        worker.hostname = nodename;
        worker.port = String(nodeport);
        return worker.href;
      }),
    ];
  });

/** Joins the databases with one name on these servers into a cluster; does nothing for a single server. */
export const joinNodes = async (servers: readonly string[], name: string): Promise<void> => {
  const [coordinator, ...workers] = servers;
  if (coordinator === undefined || workers.length === 0) return;
  for (const server of servers)
    await withClient(databaseAt(server, name), (client) => client.query('create extension citus'));
  await withClient(databaseAt(coordinator, name), async (client) => {
    const { hostname, port } = new URL(coordinator);
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
    for (const worker of workers) {
      const node = new URL(worker);
      await client.query('select citus_add_node($1, $2)', [node.hostname, Number(node.port)]);
    }
  });
};

/**
 * Closes a database permanently, so that it can be copied or dropped: each database of a cluster has a
 * background worker connected to it on each node. A worker that has just started asks all nodes about
 * unfinished transactions. If a drop has already begun, its connections wait for the drop, and the drop for
 * them, until it gives up.
 */
export const closeDatabase = async (servers: readonly string[], name: string): Promise<void> => {
  for (const server of servers) {
    await withClient(databaseAt(server, 'postgres'), async (client) => {
      await client.query(`alter database ${name} with allow_connections false`);
      await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
        name,
      ]);
    });
  }
};
