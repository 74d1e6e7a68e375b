import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BEARERBOX = '/usr/sbin/bearerbox';
const SMSBOX = '/usr/sbin/smsbox';

export const isKannelInstalled = existsSync(BEARERBOX) && existsSync(SMSBOX);

export interface Kannel {
  /** Sends a text to a number, by Kannel's HTTP interface. @returns the status of its response */
  send(text: string, coding: 0 | 2): Promise<number>;
  log(): string;
  stop(): Promise<void>;
}

/** Kannel as an ESME that binds to the SMSC at this port, with a configuration of its own. */
export async function startKannel(smscPort: number): Promise<Kannel> {
  const [adminPort = 0, boxPort = 0, sendPort = 0] = await Promise.all([freePort(), freePort(), freePort()]);
  const directory = await mkdtemp(join(tmpdir(), 'simcube-kannel-'));
  const config = join(directory, 'kannel.conf');
  await writeFile(config, kannelConfiguration({ smscPort, adminPort, boxPort, sendPort }));
  let log = '';
  const children: ChildProcess[] = [];
  const start = (program: string, isReady: RegExp): Promise<void> => {
    const child = spawn(program, ['-v', '0', config], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return new Promise((resolve, reject) => {
      const look = (chunk: Buffer): void => {
        log = (log + chunk.toString()).slice(-50_000);
        if (isReady.test(log)) resolve();
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      child.once('exit', () => reject(new Error(`${program} did not start\n${log}`)));
    });
  };
  await start(BEARERBOX, /Parsed .*|MAIN: Start-up done/);
  await start(SMSBOX, /Started translations|Connected to bearerbox|starting sms sender/i);
  return {
    send: async (text, coding) => {
      const query = new URLSearchParams({
        username: 'u',
        password: 'p',
        to: '34600000001',
        from: '1234',
        text,
      });
      query.set('coding', String(coding));
      query.set('charset', 'UTF-8');
      const response = await fetch(`http://127.0.0.1:${sendPort}/cgi-bin/sendsms?${query}`);
      return response.status;
    },
    log: () => log,
    stop: async () => {
      await Promise.all(children.toReversed().map(ended));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

export interface KannelSettings {
  smscPort: number;
  adminPort: number;
  boxPort: number;
  /** Of its HTTP interface; without one messages come by `mtbatch` alone. */
  sendPort?: number;
  account?: { systemId: string; password: string };
  /** Submits without an answer at once; Kannel's own otherwise. */
  window?: number;
}

/** What bearerbox and smsbox read: one connection to the SMSC. */
export const kannelConfiguration = ({
  smscPort,
  adminPort,
  boxPort,
  sendPort,
  account = { systemId: 'kannel', password: 'p' },
  window,
}: KannelSettings): string => `group = core
admin-port = ${adminPort}
admin-password = p
smsbox-port = ${boxPort}
box-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
smsc-id = peer
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = ${account.systemId}
smsc-password = ${account.password}
system-type = x${window === undefined ? '' : `\nmax-pending-submits = ${window}`}

group = smsbox
bearerbox-host = 127.0.0.1${sendPort === undefined ? '' : `\nsendsms-port = ${sendPort}`}

group = sendsms-user
username = u
password = p
concatenation = true
max-messages = 9

group = sms-service
keyword = default
text = no
max-messages = 0
`;
