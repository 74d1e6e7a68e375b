import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  port: number;
  received: { sender: string; receivers: string[]; mail: Email; secure: boolean }[];
  close(): Promise<void>;
}

/** A mail server on this machine; `port` 0 takes any. With a password it requires relay@example.test to sign in. */
export const startMailServer = async ({
  port = 0,
  password,
  refuse,
}: {
  port?: number;
  password?: string;
  /** Rejects the address, for now or for good, mails of this sender, or the mail. */
  refuse?: 'for now' | 'address' | 'sender' | 'mail';
} = {}): Promise<MailServer> => {
  const received: MailServer['received'] = [];
  const server = new SMTPServer({
    authOptional: password === undefined,
    onAuth: (auth, _session, done) =>
      auth.password === password && auth.username === 'relay@example.test'
        ? done(null, { user: auth.username })
        : done(new Error('Invalid username or password')),
    onRcptTo: ({ address }, _session, done) =>
      refuse === undefined || refuse === 'mail'
        ? done()
        : done(
            Object.assign(
              new Error(refuse === 'sender' ? '5.7.1 relaying denied' : `no such user <${address}>`),
              { responseCode: refuse === 'for now' ? 450 : 550 },
            ),
          ),
    onData: (stream, { envelope, secure }, done) => {
      const take = async () => {
        received.push({
          sender: envelope.mailFrom ? envelope.mailFrom.address : '',
          receivers: envelope.rcptTo.map(({ address }) => address),
          mail: await PostalMime.parse(Buffer.concat(await stream.toArray())),
          secure,
        });
      };
      const spam = Object.assign(new Error('spam'), { responseCode: 554 });
      take().then(() => done(refuse === 'mail' ? spam : null), done);
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
