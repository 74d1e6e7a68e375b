import { existsSync } from 'node:fs';
import { opensmppbox } from '../../../../scripts/peers.mjs';
import { kannelConfiguration } from './kannel.ts';
import { BEARERBOX, freePort, openKannelBoxes } from './kannel-boxes.ts';

export const isOpensmppboxInstalled = existsSync(opensmppbox) && existsSync(BEARERBOX);

export interface Opensmppbox {
  /** Port to which clients bind. */
  port: number;
  log(): string;
  /** Suspends the SMPP server until it is killed. */
  stall(): void;
  /** Kills the SMPP server, as in a crash; messages that it has not passed on are lost. */
  kill(): Promise<void>;
  /** Restarts it on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const LISTENING = /Waiting for SMPP connections/;

/**
 * Kannel as an SMSC: `opensmppbox` serves SMPP to clients, and `bearerbox` forwards their messages to the SMSC at this port and
 * returns its receipts and messages.
 * @param options.account credentials for binding
 */
export async function startOpensmppbox(options: {
  smscPort: number;
  account: { systemId: string; password: string };
}): Promise<Opensmppbox> {
  const { smscPort, account } = options;
  const [adminPort = 0, boxPort = 0, port = 0] = await Promise.all([freePort(), freePort(), freePort()]);
  const boxes = await openKannelBoxes();
  const bearerbox = await boxes.write(
    'kannel.conf',
    kannelConfiguration({ smscPort, adminPort, boxPort, receivingBox: account.systemId }),
  );
  const logins = await boxes.write('logins.txt', `${account.systemId} ${account.password} any 127.0.0.1\n`);
  const config = await boxes.write('opensmppbox.conf', configuration({ boxPort, port, logins }));
  await boxes.start(BEARERBOX, bearerbox, /MAIN: Start-up done/);
  const start = (): Promise<void> => boxes.start(opensmppbox, config, LISTENING);
  await start();
  return {
    port,
    log: boxes.log,
    stall: () => boxes.stall(opensmppbox),
    kill: () => boxes.kill(opensmppbox),
    restart: start,
    stop: boxes.stop,
  };
}

const configuration = (settings: { boxPort: number; port: number; logins: string }): string => `group = core
dlr-storage = internal

group = opensmppbox
opensmppbox-id = box
opensmppbox-port = ${settings.port}
bearerbox-host = 127.0.0.1
bearerbox-port = ${settings.boxPort}
our-system-id = kannel
use-systemid-as-smsboxid = true
smpp-logins = "${settings.logins}"
`;
