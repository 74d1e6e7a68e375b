import { execFileSync } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound, type OutboundFault, type OutboundOptions } from './index.ts';

const openssl = '/usr/bin/openssl';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
};
const ask = (url: string, options: OutboundOptions & { timeoutMs?: number; maxBytes?: number } = {}) => {
  const { timeoutMs = 5000, maxBytes = 1000, ...made } = options;
  return createOutbound(made)({ url: new URL(url), timeoutMs, maxBytes });
};
const faultOf = (work: Promise<unknown>): Promise<OutboundFault | undefined> =>
  work.then(
    () => undefined,
    (error: { fault?: OutboundFault }) => error.fault,
  );
const allowed = { allowedNetworks: ['127.0.0.1/32'] };

describe('outbound requests', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '2130706433',
    '0x7f.1',
    '[::]',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:a00:1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '127.1',
    '0177.0.0.1',
  ])('are not sent to the internal address %s', async (host) => {
    expect(await faultOf(ask(`http://${host}/`))).toBe('address');
  });

  it.each([
    [['10.0.0.1'], 'address'],
    [['192.0.2.1', '127.0.0.1'], 'address'],
    [['::ffff:10.0.0.1'], 'address'],
    [[], 'address'],
  ])('are not sent to a name with the addresses %j', async (addresses, fault) => {
    const resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    expect(await faultOf(ask('http://name.example/', { resolve }))).toBe(fault);
  });

  it('connect to the checked address, even if DNS changes', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const { body } = await ask(`http://name.example:${port}/`, { ...allowed, resolve });
    expect([asked, String(body)]).toEqual([1, `name.example:${port}`]);
  });

  it('are limited to web ports, except in allowed networks', async () => {
    const resolve = async () => [{ address: '192.0.2.1', family: 4 }];
    expect(await faultOf(ask('http://name.example:25/', { resolve }))).toBe('port');
    const port = await serve((_, response) => response.end('here'));
    expect(String((await ask(`http://127.0.0.1:${port}/`, allowed)).body)).toBe('here');
  });

  it('follow no redirects', async () => {
    const port = await serve((_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    expect(await faultOf(ask(`http://127.0.0.1:${port}/`, allowed))).toBe('redirect');
  });

  it('end at the size and time limits', async () => {
    const large = await serve((_, response) => response.end('x'.repeat(1001)));
    expect(await faultOf(ask(`http://127.0.0.1:${large}/`, allowed))).toBe('size');
    const silent = await serve((_, response) => response.write('x'));
    expect(await faultOf(ask(`http://127.0.0.1:${silent}/`, { ...allowed, timeoutMs: 50 }))).toBe('time');
  });

  it.each<[string, RequestListener, string]>([
    ['is longer', (_, response) => void response.end('abcdefgh'), 'abcd'],
    ['does not end', (_, response) => void response.write('ab'), 'ab'],
    ['breaks off', (_, response) => void response.write('ab', () => response.destroy()), 'ab'],
    [
      'lies about its length',
      (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('ab'),
      'ab',
    ],
  ])('return an excerpt of a response that %s', async (_, listener, beginning) => {
    const port = await serve(listener);
    const request = { url: new URL(`http://127.0.0.1:${port}/`), timeoutMs: 5000, maxBytes: 1000 };
    const { status, body, isCut } = await createOutbound(allowed)({ ...request, excerptBytes: 4 });
    expect([status, String(body), isCut]).toEqual([200, beginning, true]);
  });

  it('fail with a connection error if the response is aborted', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('x', () => response.destroy());
    });
    expect(await faultOf(ask(`http://127.0.0.1:${port}/`, allowed))).toBe('connection');
  });

  it('reuse a connection, and reconnect when the host closed it', async () => {
    let connections = 0;
    const port = await serve((_, response) => response.end('here'));
    const server = servers.at(-1);
    server?.on('connection', () => {
      connections += 1;
    });
    const outbound = createOutbound({ ...allowed, keepAlive: true });
    const request = { url: new URL(`http://127.0.0.1:${port}/`), timeoutMs: 5000, maxBytes: 1000 };
    await outbound(request);
    await outbound(request);
    expect(connections).toBe(1);
    server?.closeAllConnections();
    expect((await outbound(request)).status).toBe(200);
    expect(connections).toBe(2);
  });

  it('check the resolved addresses for each connection', async () => {
    const port = await serve((_, response) => response.setHeader('connection', 'close').end('here'));
    const answers = ['127.0.0.1', '10.0.0.1'];
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const outbound = createOutbound({ ...allowed, resolve, keepAlive: true });
    const request = { url: new URL(`http://name.example:${port}/`), timeoutMs: 5000, maxBytes: 1000 };
    expect((await outbound(request)).status).toBe(200);
    expect(await faultOf(outbound(request))).toBe('address');
  });

  it('that discard the body end with the headers, whatever its length', async () => {
    const port = await serve((_, response) => {
      response.writeHead(201);
      response.write('x'.repeat(100));
    });
    const request = { url: new URL(`http://127.0.0.1:${port}/`), timeoutMs: 5000, maxBytes: 10 };
    const { status, body } = await createOutbound(allowed)({ ...request, discardBody: true });
    expect([status, body.length]).toEqual([201, 0]);
  });

  it('close an unread body at the time limit, without leaking listeners', async () => {
    let closed: (() => void) | undefined;
    const left = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await serve((_, response) => void response.on('close', () => closed?.()).write('x'));
    const caller = new AbortController();
    const request = { url: new URL(`http://127.0.0.1:${port}/`), timeoutMs: 100, maxBytes: 10 };
    const asking = createOutbound(allowed)({ ...request, discardBody: true, signal: caller.signal });
    expect((await asking).status).toBe(200);
    await left;
    await expect.poll(() => getEventListeners(caller.signal, 'abort').length).toBe(0);
  });

  it('can be aborted, even during name resolution', async () => {
    const stop = new AbortController();
    const resolve = () => new Promise<never>(() => undefined);
    const asking = createOutbound({ resolve })({
      url: new URL('http://name.example/'),
      timeoutMs: 5000,
      maxBytes: 10,
      signal: stop.signal,
    });
    stop.abort();
    expect(await faultOf(asking)).toBe('connection');
  });

  it.runIf(existsSync(openssl))('name a certificate that is not valid as the reason', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'simcube-certificate-'));
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=self'];
    execFileSync(openssl, ['req', '-x509', ...kind, '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) });
    rmSync(directory, { recursive: true });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await faultOf(ask(`https://127.0.0.1:${port}/`, allowed))).toBe('certificate');
  });

  it('are limited to http and https', async () => {
    expect(await faultOf(ask('file:///etc/hosts'))).toBe('scheme');
  });
});
