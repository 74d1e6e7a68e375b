import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The baseline of the accounting budget: FreeRADIUS 3.2 with its own schema and queries on PostgreSQL. */
export interface Baseline {
  pid: number;
  acctPort: number;
  secret: string;
  version: string;
  /** Without current statistics, the planner chooses the wrong index and the baseline is unfairly slow. */
  analyse(): Promise<void>;
  stop(): Promise<void>;
}

const installer = fileURLToPath(new URL('../../scripts/peers.mjs', import.meta.url));
const program = '/usr/sbin/freeradius';
const queries = '/etc/freeradius/3.0/mods-config/sql/main/postgresql';

/** Installs FreeRADIUS as `npm test` does. @returns whether it is installed */
export const provideFreeRadius = (): boolean => {
  spawnSync(process.execPath, [installer, 'FreeRADIUS'], { stdio: 'inherit' });
  return existsSync(program) && existsSync(`${queries}/queries.conf`);
};

/** Starts it on the given database server, with a separate directory and database. */
export const startFreeRadius = async (databaseUrl: string, acctPort: number): Promise<Baseline> => {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('drop database if exists radius_baseline');
  await admin.query('create database radius_baseline');
  await admin.end();
  const url = new URL(databaseUrl);
  url.pathname = '/radius_baseline';
  const database = new pg.Client({ connectionString: url.href });
  await database.connect();
  await database.query(readFileSync(`${queries}/schema.sql`, 'utf8'));

  const secret = 'bench-secret';
  const directory = mkdtempSync(join(tmpdir(), 'simcube-freeradius-'));
  chmodSync(directory, 0o700);
  writeFileSync(join(directory, 'radiusd.conf'), configuration({ directory, url, acctPort, secret }));
  const server = spawn(program, ['-d', directory, '-n', 'radiusd', '-f', '-l', join(directory, 'log')], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await Promise.race([
    waitUntilReady(join(directory, 'log')),
    ended.then(() => Promise.reject(new Error(readLog(directory)))),
  ]);
  return {
    pid: server.pid ?? 0,
    acctPort,
    secret,
    version:
      spawnSync(program, ['-v'], { encoding: 'utf8' }).stdout.match(/Version ([\d.]+)/)?.[1] ?? 'unknown',
    analyse: async () => {
      await database.query('vacuum analyze radacct');
    },
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
      await database.end();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const readLog = (directory: string): string =>
  existsSync(join(directory, 'log'))
    ? readFileSync(join(directory, 'log'), 'utf8').slice(-2000)
    : 'FreeRADIUS ended';

const waitUntilReady = async (log: string): Promise<void> => {
  for (let tries = 0; tries < 200; tries += 1) {
    if (existsSync(log) && readFileSync(log, 'utf8').includes('Ready to process requests')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('FreeRADIUS did not come up');
};

interface ConfigurationOptions {
  directory: string;
  url: URL;
  acctPort: number;
  secret: string;
}

/** Default thread pool, connection pool and queries, without anything that would slow it down. */
const configuration = ({ directory, url, acctPort, secret }: ConfigurationOptions): string => `
prefix = /usr
libdir = /usr/lib/freeradius
raddbdir = ${directory}
logdir = ${directory}
run_dir = ${directory}
pidfile = ${directory}/pid
max_requests = 65536
hostname_lookups = no
security {
  max_attributes = 200
  reject_delay = 0
  status_server = yes
}
thread pool {
  start_servers = 5
  max_servers = 32
  min_spare_servers = 3
  max_spare_servers = 10
  max_requests_per_server = 0
}
client bench {
  ipaddr = 127.0.0.1
  secret = ${secret}
}
modules {
  expr {
  }
  sql {
    dialect = "postgresql"
    driver = "rlm_sql_postgresql"
    server = "${url.hostname}"
    port = ${url.port}
    login = "${url.username}"
    password = "${url.password}"
    radius_db = "radius_baseline"
    acct_table1 = "radacct"
    acct_table2 = "radacct"
    postauth_table = "radpostauth"
    authcheck_table = "radcheck"
    groupcheck_table = "radgroupcheck"
    authreply_table = "radreply"
    groupreply_table = "radgroupreply"
    usergroup_table = "radusergroup"
    client_table = "nas"
    group_attribute = "SQL-Group"
    pool {
      start = 5
      min = 3
      max = 32
      spare = 10
      uses = 0
      retry_delay = 30
      lifetime = 0
      idle_timeout = 60
    }
    $INCLUDE ${queries}/queries.conf
  }
}
server bench {
  listen {
    type = acct
    ipaddr = 127.0.0.1
    port = ${acctPort}
    recv_buff = 4194304
  }
  preacct {
    update request {
      &Acct-Unique-Session-Id := "%{md5:%{User-Name},%{Acct-Session-ID},%{%{NAS-IPv6-Address}:-%{NAS-IP-Address}},%{NAS-Identifier},%{NAS-Port-ID},%{NAS-Port}}"
    }
  }
  accounting {
    sql
  }
}
`;
