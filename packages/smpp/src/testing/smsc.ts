/// <reference path="./smpp.d.ts" />
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type PDU, type Session } from 'smpp';

export interface SmscOptions {
  /** Status of every bind; 0 by default. */
  bindStatus?: (bind: PDU) => number;
  /** Responds to a submit; by default immediately, with the number of the submit as its id. */
  onSubmit?: (submit: PDU, session: Session, count: number) => void;
  tls?: { key: string; cert: string };
  /** A free one by default. */
  port?: number;
}

/** An SMSC based on npm `smpp`, whose codec and session are independent of ours. */
export interface Smsc {
  port: number;
  sessions: Session[];
  binds: PDU[];
  submits: PDU[];
  /** Leaves binds without a response. */
  mute: boolean;
  /** Drops every connection, but keeps listening. */
  drop(): void;
  close(): Promise<void>;
}

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
  const sessions: Session[] = [];
  const binds: PDU[] = [];
  const submits: PDU[] = [];
  const smsc = { port: 0, sessions, binds, submits, mute: false };
  const server = createServer(options.tls ?? {}, (session) => {
    sessions.push(session);
    session.on('error', () => session.destroy());
    for (const kind of ['transmitter', 'receiver', 'transceiver']) {
      session.on(`bind_${kind}`, (bind: PDU) => {
        binds.push(bind);
        if (smsc.mute) return;
        session.send(bind.response({ command_status: options.bindStatus?.(bind) ?? 0, system_id: 'smsc' }));
      });
    }
    session.on('submit_sm', (submit: PDU) => {
      submits.push(submit);
      if (options.onSubmit) options.onSubmit(submit, session, submits.length);
      else session.send(submit.response({ message_id: String(submits.length) }));
    });
    for (const command of ['enquire_link', 'unbind']) {
      session.on(command, (pdu: PDU) => session.send(pdu.response()));
    }
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  smsc.port = (server.address() as AddressInfo).port;
  const drop = (): void => {
    for (const session of sessions) session.destroy();
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      drop();
    });
  return Object.assign(smsc, { drop, close });
}
