import { createPublicKey } from 'node:crypto';
import { type RequestDescriptor, type Verifier, verifySignature } from 'http-message-sig';
import { expect, it } from 'vitest';
import { verifierOf } from './verifier.ts';

/** The examples of RFC 9421, with which library and verifier are compared. */

const fieldsOf = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

const contentDigest =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';

/** B.1.1: test-key-rsa. */
const testKeyRsa = createPublicKey(`-----BEGIN RSA PUBLIC KEY-----
MIIBCgKCAQEAhAKYdtoeoy8zcAcR874L8cnZxKzAGwd7v36APp7Pv6Q2jdsPBRrw
WEBnez6d0UDKDwGbc6nxfEXAy5mbhgajzrw3MOEt8uA5txSKobBpKDeBLOsdJKFq
MGmXCQvEG7YemcxDTRPxAleIAgYYRjTSd/QBwVW9OwNFhekro3RtlinV0a75jfZg
kne/YiktSvLG34lw2zqXBDTC5NHROUqGTlML4PlNZS5Ri2U4aCNx2rUPRcKIlE0P
uKxI4T+HIaFpv8+rdV6eUgOrB2xeI1dSFFn/nnv5OoZJEIB+VmuKn3DCUcCZSFlQ
PSXSfBDiUGhwOw76WuSSsf1D4b/vLoJ10wIDAQAB
-----END RSA PUBLIC KEY-----`);

const anyTime = { requiredComponents: [], requiredParameters: [], clockSkew: Number.MAX_SAFE_INTEGER };

/** Section 4.3: what the proxy signed. */
const proxied = (change: Record<string, string> = {}): RequestDescriptor => ({
  kind: 'request',
  method: 'POST',
  targetUri: 'https://origin.host.internal.example/foo?param=Value&Pet=dog',
  fields: fieldsOf({
    host: 'origin.host.internal.example',
    date: 'Tue, 20 Apr 2021 02:07:56 GMT',
    'content-type': 'application/json',
    'content-length': '18',
    forwarded: 'for=192.0.2.123;host=example.com;proto=https',
    'content-digest': contentDigest,
    'signature-input':
      'proxy_sig=("@method" "@authority" "@path" "content-digest" "content-type" "content-length" "forwarded")' +
      ';created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256";expires=1618884540',
    signature:
      'proxy_sig=:S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy+CM5g92iHgxtRPz+MjniOaYmdkDcnL9cCp' +
      'XJleXsOckpURl49GwiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7LB5YAv0RAGhB8tmpv7sFnIm9y+7X5kXQ' +
      'fi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2TwevU+/PBPv0B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbLVdp770I6VHR6WfgS9d' +
      'dzirrswsE1w5o0LV/g==:',
    ...change,
  }),
});

const judged = (message: RequestDescriptor) =>
  verifySignature(message, {
    policy: { ...anyTime, algorithms: ['rsa-v1_5-sha256'], now: 1618884480 },
    resolveVerifier: () => verifierOf(testKeyRsa),
  });

it('the signature of the proxy (section 4.3) is accepted, and none over another request', async () => {
  expect(await judged(proxied())).toMatchObject({ label: 'proxy_sig', algorithm: 'rsa-v1_5-sha256' });
  for (const change of [{ 'content-length': '19' }, { forwarded: 'for=192.0.2.124' }])
    await expect(judged(proxied(change))).rejects.toMatchObject({ code: 'VerificationFailed' });
});

/** B.2: the request that all examples use. */
const request = (input: string): RequestDescriptor => ({
  kind: 'request',
  method: 'POST',
  targetUri: 'https://example.com/foo?param=Value&Pet=dog',
  fields: fieldsOf({
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest': contentDigest,
    'content-length': '18',
    'signature-input': `sig=${input}`,
    signature: 'sig=:AAAA:',
  }),
});

/** The signature base for this input, as a verifier gets it. */
const baseOf = async (input: string): Promise<string> => {
  let base = '';
  const reading: Verifier = {
    algorithm: 'any',
    verify: (data) => {
      base = Buffer.from(data).toString();
      return true;
    },
  };
  await verifySignature(request(input), {
    policy: { ...anyTime, algorithms: ['any'], now: 1618884473 },
    resolveVerifier: () => reading,
  });
  return base;
};

it.each([
  ['B.2.1', '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"', []],
  [
    'B.2.3',
    '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length")' +
      ';created=1618884473;keyid="test-key-rsa-pss"',
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@query": ?param=Value&Pet=dog',
      '"@authority": example.com',
      '"content-type": application/json',
      `"content-digest": ${contentDigest}`,
      '"content-length": 18',
    ],
  ],
  [
    'B.2.5',
    '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@authority": example.com',
      '"content-type": application/json',
    ],
  ],
  [
    'B.2.6',
    '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@authority": example.com',
      '"content-type": application/json',
      '"content-length": 18',
    ],
  ],
])('the signature base of %s is that of the RFC', async (_, input, lines) => {
  expect(await baseOf(input)).toBe([...lines, `"@signature-params": ${input}`].join('\n'));
});
