import { isIP } from 'node:net';
import { limits, successCode } from '@simcube/contract';
import type { CompletedCall } from '../../../platform/http/index.ts';
import type { StoredCall } from './log.queries.ts';

const mask = '***';
const secretName = String.raw`[\w-]{0,40}(?:password|passwd|secret|token|private_?key|authorization)[\w-]{0,40}`;
const secretHeader = new RegExp(`^(?:cookie|signature|${secretName})$`, 'i');
/** A name and its value in JSON, which may be cut off in the middle. */
const secretMember = new RegExp(
  String.raw`("${secretName}"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?|\{[^}]*\}?|[^,\]}\s]+)`,
  'gi',
);
const secretParameter = new RegExp(`([?&]${secretName}=)[^&]*`, 'gi');

/** Maximum characters of a header's value, and of path and query. */
const maxHeaderLength = 500;
const maxPathLength = 2000;
/** A request may claim any length. */
const maxInteger = 2 ** 31 - 1;

/** A call as stored: cut, without secrets, and without characters that the database can't store. */
export const toStoredCall = (
  { key, confidential, body, response, headers, httpCode, durationMs, ...call }: CompletedCall,
  now: Date,
): StoredCall => ({
  orgId: key.orgId,
  userId: call.userId,
  at: new Date(now.getTime() - durationMs),
  traceId: call.traceId,
  keyId: key.id,
  keyName: key.name,
  address: isIP(call.address) ? call.address.replace(/^::ffff:(?=\d+\.)/i, '') : '',
  method: call.method,
  endpoint: call.endpoint ?? null,
  path: call.target.replaceAll(secretParameter, `$1${mask}`).slice(0, maxPathLength),
  httpCode,
  code: codeOf(httpCode, response),
  durationMs: storable(durationMs),
  header: maskedHeaders(headers),
  body: confidential ? null : masked(body),
  bodyBytes: storable(call.bodyBytes),
  response: confidential && httpCode < 400 ? null : masked(response),
  responseBytes: storable(call.responseBytes),
});

/** A number that fits its column. */
const storable = (count: number): number => (count >= 0 ? Math.min(count, maxInteger) : 0);

/** A failed response contains no data, so the first code in it belongs to its status. */
const codeOf = (httpCode: number, response: string | undefined): string | null => {
  if (response === undefined) return null;
  return httpCode < 400 ? successCode : (/"code":"(CB-\d\d-\d{4})"/.exec(response)?.[1] ?? null);
};

/** The first octets of a text, with secrets masked. */
const masked = (text: string | undefined): string | null =>
  text === undefined ? null : cut(cut(text).replaceAll(secretMember, `$1"${mask}"`));

/** Removes a character cut in the middle; U+0000 and unpaired surrogates become replacement characters. */
const cut = (text: string): string => {
  const octets = Buffer.from(text.slice(0, limits.apiLog.bytes));
  const first = octets.subarray(0, limits.apiLog.bytes).toString().replaceAll('\0', '\uFFFD');
  return octets.length > limits.apiLog.bytes ? first.replace(/\uFFFD$/, '') : first;
};

const maskedHeaders = (headers: CompletedCall['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeader.test(name) ? mask : String(value).slice(0, maxHeaderLength),
    ]),
  );
