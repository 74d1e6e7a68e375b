import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Time until it responds. */
export const responseDelayMs = 20;

export interface Receiver {
  origin: string;
  /** Its certificate, to be trusted. */
  certificate: string;
  stop(): void;
}

/** HTTPS on loopback with a self-signed certificate. `onRequest` receives the body of each request and the time of its last octet. */
export const startReceiver = async (
  directory: string,
  onRequest?: (body: string, at: number) => void,
): Promise<Receiver> => {
  const [key, certificate] = [join(directory, 'receiver.key'), join(directory, 'receiver.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      if (request.url?.startsWith('/dead')) return;
      request.on('end', () => {
        onRequest?.(Buffer.concat(parts).toString(), performance.now());
        setTimeout(() => response.writeHead(200).end(), responseDelayMs);
      });
    },
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
