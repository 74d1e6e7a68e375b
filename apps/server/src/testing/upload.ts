import type { EndpointShape, Envelope, ResponseOf } from '@simcube/contract';
import type { TestApp, TestClient, TestResponse } from './app.ts';

/** A form with one file (RFC 7578). */
export const formOf = (name: string, content: Buffer | string): { type: string; payload: Buffer } => {
  const boundary = '----simcube-test';
  const payload = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    ),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, payload };
};

/** Sends a file to a call whose record has `upload`. */
export const upload = async <E extends EndpointShape>(
  { app }: Pick<TestApp, 'app'>,
  client: TestClient,
  call: {
    endpoint: E;
    params: Record<string, string>;
    query?: Record<string, string>;
    name: string;
    content: Buffer | string;
  },
): Promise<TestResponse<ResponseOf<E>>> => {
  const { endpoint, params, query = {}, name, content } = call;
  const { type, payload } = formOf(name, content);
  const answer = await app.inject({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? '')),
    query,
    headers: { ...client.headers, 'content-type': type },
    payload,
  });
  return {
    http: answer.statusCode,
    headers: answer.headers,
    body: answer.json<Envelope<ResponseOf<E>>>(),
  };
};
