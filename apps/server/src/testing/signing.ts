import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointShape, type Envelope, endpoints } from '@simcube/contract';
import type { KeyRights } from '@simcube/contract/developer';
import { insertCalls, prepareDays } from '../modules/developer/log/log.queries.ts';
import { projectRoot } from '../platform/env/index.ts';
import { type TestApp, type TestClient, testPublicUrl } from './app.ts';

export interface TestKey {
  id: string;
  privateKey: string;
}

export interface SigningInput {
  keyId: string;
  privateKey: string;
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  created?: number;
  nonce?: string;
}

/** A call before it is signed. */
export interface UnsignedCall {
  method: EndpointShape['method'] | 'HEAD';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export const createApiKey = async (
  client: TestClient,
  body: { expires_at?: string; rights?: KeyRights } = {},
): Promise<TestKey> => {
  const { data } = (await client.call(endpoints.developer.createKey, { body })).body;
  return { id: data.key.id, privateKey: data.private_key };
};

/** Three calls of a key of the account, as the log has them. */
export const logCalls = async (
  { database, clock }: Pick<TestApp, 'database' | 'clock'>,
  { orgId, userId }: TestClient,
): Promise<void> => {
  const at = clock.now();
  await prepareDays(database.pool, at);
  const request = { method: 'GET', endpoint: null, path: '/cube/sim/views', address: '192.0.2.1' };
  const sent = { header: {}, body: null };
  const response = { httpCode: 200, code: 'CB-00-0000', durationMs: 3, response: '{}', responseBytes: 2 };
  const call = {
    orgId,
    userId,
    at,
    keyId: randomUUID(),
    keyName: 'Fleet',
    bodyBytes: 0,
    ...request,
    ...sent,
    ...response,
  };
  await insertCalls(
    database.pool,
    Array.from({ length: 3 }, () => ({ ...call, traceId: randomUUID() })),
  );
};

export type Signing = Awaited<ReturnType<typeof readSigning>>;

/** The example for developers in the documents: the server must accept what it signs. */
export const readSigning = async () => {
  const document = readFileSync(join(projectRoot, 'docs/api-keys.md'), 'utf8');
  const code = /```js\n(import .*?)```/s.exec(document)?.[1];
  if (code === undefined) throw new Error('docs/api-keys.md has no example');
  const { signedHeaders }: { signedHeaders: (request: SigningInput) => Record<string, string> } =
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return {
    /** Headers of the call, with its signature. */
    signed: ({ url, ...request }: UnsignedCall, by: TestKey, more: Partial<SigningInput> = {}) =>
      signedHeaders({
        keyId: by.id,
        privateKey: by.privateKey,
        url: `${testPublicUrl}${url}`,
        ...request,
        ...more,
      }),
  };
};

export const sendCall = async (
  { app }: Pick<TestApp, 'app'>,
  { method, url, body }: UnsignedCall,
  headers: Record<string, string>,
) => {
  const result = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) });
  const { data, status } = result.json<Envelope<unknown>>();
  const { code, message } = status;
  return { http: result.statusCode, headers: result.headers, code, message, data };
};
