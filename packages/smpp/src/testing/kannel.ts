import { existsSync } from 'node:fs';
import { BEARERBOX, freePort, openKannelBoxes } from './kannel-boxes.ts';

const SMSBOX = '/usr/sbin/smsbox';

export const isKannelInstalled = existsSync(BEARERBOX) && existsSync(SMSBOX);

export interface Kannel {
  /** Sends a text to a number with Kannel's HTTP interface. @returns the status of its response */
  send(text: string, coding: 0 | 2): Promise<number>;
  log(): string;
  stop(): Promise<void>;
}

/** Kannel as an ESME that binds to the SMSC at this port. */
export async function startKannel(smscPort: number): Promise<Kannel> {
  const [adminPort = 0, boxPort = 0, sendPort = 0] = await Promise.all([freePort(), freePort(), freePort()]);
  const boxes = await openKannelBoxes();
  const config = await boxes.write(
    'kannel.conf',
    kannelConfiguration({ smscPort, adminPort, boxPort, sendPort }),
  );
  await boxes.start(BEARERBOX, config, /MAIN: Start-up done/);
  await boxes.start(SMSBOX, config, /Started translations|Connected to bearerbox|starting sms sender/i);
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
    log: boxes.log,
    stop: boxes.stop,
  };
}

export interface KannelSettings {
  smscPort: number;
  adminPort: number;
  boxPort: number;
  /** Port of its HTTP interface; if omitted, messages are sent only with `mtbatch`. */
  sendPort?: number;
  account?: { systemId: string; password: string };
  /** Maximum submits without a response; Kannel's default if omitted. */
  window?: number;
  /** The box that receives all messages from devices; by default any box that has not identified itself. */
  receivingBox?: string;
}

/** Configuration of bearerbox and smsbox with one connection to the SMSC. */
export const kannelConfiguration = ({
  smscPort,
  adminPort,
  boxPort,
  sendPort,
  account = { systemId: 'kannel', password: 'p' },
  window,
  receivingBox,
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
${receivingBox === undefined ? '' : `\ngroup = smsbox-route\nsmsbox-id = ${receivingBox}\nsmsc-id = peer\n`}`;
