import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RADCLIENT = '/usr/bin/radclient';
const FREERADIUS = '/usr/sbin/freeradius';

export const isFreeradiusInstalled = existsSync(RADCLIENT) && existsSync(FREERADIUS);

export const peerSecret = 'a secret of testing';
/** The only session that the peer's CoA section knows. */
export const openSession = 'OPEN-SESSION-1';

export interface FreeradiusPeer {
  authPort: number;
  acctPort: number;
  coaPort: number;
  /** Its log, for failures. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts a real FreeRADIUS on free loopback ports, with our configuration in a separate directory. */
export async function startFreeradius(): Promise<FreeradiusPeer> {
  const [authPort, acctPort, coaPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const directory = await mkdtemp(join(tmpdir(), 'simcube-freeradius-'));
  await Promise.all(['log', 'run'].map((name) => mkdir(join(directory, name))));
  const config = configuration({ directory, authPort, acctPort, coaPort });
  await writeFile(join(directory, 'radiusd.conf'), config);
  await writeFile(join(directory, 'dictionary'), '');
  const child = spawn(FREERADIUS, ['-d', directory, '-n', 'radiusd', '-f', '-l', 'stdout'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const collect = (chunk: Buffer): void => {
    log = (log + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  await waitUntilReady(child, () => log);
  return {
    authPort,
    acctPort,
    coaPort,
    log: () => log,
    stop: async () => {
      await ended(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function waitUntilReady(child: ChildProcess, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`FreeRADIUS is not ready\n${log()}`)), 20_000);
    const look = (): void => {
      if (!log().includes('Ready to process requests')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on('data', look);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`FreeRADIUS did not start\n${log()}`));
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

interface Ports {
  directory: string;
  authPort: number;
  acctPort: number;
  coaPort: number;
}

/** Replies by rules, without a database: rejects one IMSI, accepts the rest, knows one session for CoA and Disconnect. */
function configuration({ directory, authPort, acctPort, coaPort }: Ports): string {
  const listen = (type: string, port: number): string =>
    `  listen {\n    type = ${type}\n    ipaddr = 127.0.0.1\n    port = ${port}\n  }\n`;
  const knownSession = (packet: string): string => `  ${packet} {
    if (&request:Acct-Session-Id == "${openSession}") {
      ok
    }
    else {
      update reply {
        &Error-Cause := 503
      }
      reject
    }
  }
`;
  return `prefix = ${directory}
logdir = ${directory}/log
run_dir = ${directory}/run
libdir = /usr/lib/freeradius
pidfile = ${directory}/run/radiusd.pid
max_request_time = 5
cleanup_delay = 0
hostname_lookups = no
log {
  destination = stdout
}
security {
  max_attributes = 200
  reject_delay = 0
  status_server = yes
  allow_vulnerable_openssl = yes
}
thread pool {
  start_servers = 1
  max_servers = 1
  min_spare_servers = 1
  max_spare_servers = 1
  max_requests_per_server = 0
}
client loopback {
  ipaddr = 127.0.0.1
  secret = "${peerSecret}"
  require_message_authenticator = yes
}
modules {
  always ok {
    rcode = ok
  }
  always reject {
    rcode = reject
  }
  pap {
  }
  chap {
  }
}
server peer {
${listen('auth', authPort)}${listen('acct', acctPort)}${listen('coa', coaPort)}  authorize {
    if (&3GPP-IMSI == "214070000000666") {
      update reply {
        &Reply-Message := "barred"
      }
      reject
    }
    update control {
      &Cleartext-Password := "a password longer than sixteen"
    }
    chap
    pap
    if (!&User-Password && !&CHAP-Password) {
      update control {
        &Auth-Type := Accept
      }
    }
    update reply {
      &Framed-IP-Address := 10.128.0.9
      &Class := 0x0102030405
      &Acct-Interim-Interval := 300
      &Framed-IPv6-Prefix := 2001:db8:1:2::/64
      &WISPr-Bandwidth-Max-Down := 128000
    }
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
    Auth-Type CHAP {
      chap
    }
  }
  accounting {
    if (&3GPP-IMSI == "214070000000001" && &3GPP-RAT-Type == EUTRAN && &Acct-Input-Gigawords == 2 && &3GPP-SGSN-MCC-MNC == "21407" && &3GPP-User-Location-Info == 0x8212f470123412f4700123456f && &Framed-IP-Address == 10.128.0.9) {
      ok
    }
    else {
      reject
    }
  }
${knownSession('recv-coa')}}
`;
}

export interface Radclient {
  port: number;
  command: 'auth' | 'acct' | 'status' | 'coa' | 'disconnect';
  /** In radclient's format: one `Name = value` per line. */
  attributes: string;
}

/** Runs the real radclient once; returns its output, and whether it accepted the reply (exit code 0). */
export function runRadclient(run: Radclient): Promise<{ accepted: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      RADCLIENT,
      ['-x', '-t', '3', '-r', '1', `127.0.0.1:${run.port}`, run.command, peerSecret],
      (error, stdout, stderr) => resolve({ accepted: error === null, output: stdout + stderr }),
    );
    child.stdin?.end(`${run.attributes}\n`);
  });
}
