import type { OutboundResponse } from '../../../platform/outbound/index.ts';

type Headers = Record<string, string>;

/** A request to a webhook, and its response. */
export interface Exchange {
  url: string;
  requestHeaders: Headers;
  response: { headers: Headers; body: string; bytes: number; isCut: boolean } | null;
}

/** Maximum characters of all headers. */
const maxHeaderCharacters = 8192;
const masked = new Set(['set-cookie', 'set-cookie2', 'authorization', 'proxy-authorization']);

/** Text that the database accepts. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** A response as stored in the log: secrets masked, invalid UTF-8 replaced. */
export const toStoredResponse = ({
  headers,
  body,
  isCut = false,
}: OutboundResponse): Exchange['response'] => ({
  headers: toStoredHeaders(headers),
  body: storable(body.toString('utf8')),
  bytes: body.length,
  isCut,
});

const toStoredHeaders = (headers: OutboundResponse['headers']): Headers => {
  const stored: Headers = {};
  let remaining = maxHeaderCharacters;
  for (const [name, value = ''] of Object.entries(headers)) {
    const text = masked.has(name) ? '***' : storable(Array.isArray(value) ? value.join(', ') : value);
    remaining -= name.length + text.length;
    if (remaining < 0) break;
    stored[name] = text;
  }
  return stored;
};
