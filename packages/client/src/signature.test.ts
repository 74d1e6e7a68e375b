import { generateKeyPairSync } from 'node:crypto';
import { createVerifier, httpbis } from 'http-message-signatures';
import { expect, it } from 'vitest';
import { signatureBase, signedHeaders } from './signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });

it('the signature base equals RFC 9421, B.2.6', () => {
  const components = new Map([
    ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
    ['@method', 'POST'],
    ['@path', '/foo'],
    ['@authority', 'example.com'],
    ['content-type', 'application/json'],
    ['content-length', '18'],
  ]);
  expect(signatureBase(components, ';created=1618884473;keyid="test-key-ed25519"')).toBe(
    `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`,
  );
});

it('another implementation verifies a signed request and rejects modified ones', async () => {
  const request = {
    method: 'POST',
    url: 'https://sim.example.com/cube/sim/list/es?page=1',
    headers: { 'content-type': 'application/json', 'tenant-id': 't-1', accept: 'application/json' },
    body: '{"search":"ñ"}',
  };
  const headers = signedHeaders(request, { keyId: 'k-1', privateKey });
  expect(headers['content-digest']).toMatch(/^sha-256=:[\w+/]{43}=:$/);
  const keyLookup = async () => ({
    id: 'k-1',
    algs: ['rsa-v1_5-sha256'],
    verify: createVerifier(publicKey, 'rsa-v1_5-sha256'),
  });
  const accepts = (change: object) =>
    httpbis.verifyMessage({ keyLookup }, { ...request, headers, ...change });
  expect(await accepts({})).toBe(true);
  for (const change of [
    { method: 'PUT' },
    { url: `${request.url}1` },
    { headers: { ...headers, 'tenant-id': 't-2' } },
    { headers: { ...headers, 'content-digest': 'sha-256=:AAAA:' } },
  ])
    expect(await accepts(change)).toBe(false);
});

it('a signature differs each time', () => {
  const signed = () =>
    signedHeaders({ method: 'GET', url: 'https://a.example/' }, { keyId: 'k', privateKey });
  expect(signed()).not.toEqual(signed());
});
