import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Smsc, startSmsc } from '@simcube/network-sim';
import { operatorActor } from '../modules/audit/index.ts';
import { addConnection, startSmsGateway } from '../modules/sms/index.ts';
import { createListener } from '../platform/db/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createDirectMailer } from '../platform/mail/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { createOutbound } from '../platform/outbound/index.ts';
import { type TestApp, testPublicUrl } from './app.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

export interface Peers {
  /** Mails that the mail server accepted. */
  mails: MailServer['received'];
  /** Requests that the receiver accepted. */
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Messages that the SMSC accepted for phones and devices. */
  texts: { to: string; text: string }[];
  /** Address of the receiver. */
  origin: string;
  smsc: Smsc;
  close(): Promise<void>;
}

/** Servers on this machine that accept all mails, requests and messages, and record them. */
export const startPeers = async ({ database, wiring, clock, vault }: TestApp): Promise<Peers> => {
  const [requests, texts]: [Peers['requests'], Peers['texts']] = [[], []];
  const mailServer = await startMailServer();
  const receiver = createHttpServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const smsc = await startSmsc({
    host: '127.0.0.1',
    port: 0,
    systemId: 'esme',
    password: 'secret',
    handle: (to, text) => {
      texts.push({ to, text });
      return { verdict: 'DELIVRD', error: '000', afterMs: 0, reply: undefined };
    },
  });
  const { pool } = database;
  await addConnection(
    { pool, clock, vault, actor: operatorActor() },
    {
      name: 'test',
      host: '127.0.0.1',
      port: smsc.port,
      tls: false,
      bind: 'transceiver',
      sender: '4900',
      priority: 0,
      window_size: 10,
      rate_per_second: null,
      system_id: 'esme',
      system_type: '',
    },
    'secret',
  );
  const log = createLog({ level: 'silent', format: 'json' });
  const metrics = createMetrics();
  const listener = createListener(database.url, log);
  const mailer = createDirectMailer({
    settings: {
      smtpUrl: `smtp://127.0.0.1:${mailServer.port}`,
      from: { name: 'SimCube', address: 'simcube@example.test' },
      directory: '/nonexistent',
    },
    publicUrl: () => testPublicUrl,
  });
  const outbound = createOutbound({ allowedNetworks: ['127.0.0.0/8'], keepAlive: true });
  const delivering = await wiring.notify.startDelivering({ listener, mailer, outbound, log, metrics });
  const sms = await startSmsGateway({ pool, clock, log, metrics, vault, listener });
  return {
    mails: mailServer.received,
    requests,
    texts,
    smsc,
    origin: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    close: async () => {
      await delivering.stop();
      await sms.stop();
      await listener.close();
      await smsc.stop();
      receiver.closeAllConnections();
      receiver.close();
      await mailServer.close();
    },
  };
};
