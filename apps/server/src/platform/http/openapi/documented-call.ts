import {
  acceptsApiKeys,
  acceptsIdempotencyKey,
  type EndpointShape,
  type ErrorCode,
  envelopeOf,
  errors as errorCatalogue,
  errorCodesOf,
  failureSchema,
  headers,
  limits,
  mediaTypes,
  statusSchema,
  successCode,
} from '@simcube/contract';
import { z } from 'zod';
import { groupBy } from '../../collections/index.ts';

const json = 'application/json';
const text = z.string();
const number = z.int().nonnegative();

/** A session's token, or the signature of an API key, whose two header fields belong together. */
export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Access token from a sign-in' },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description:
      'Signature made with an API key (RFC 9421, rsa-v1_5-sha256) over "@method", "@target-uri" and, with a body, ' +
      '"content-digest" (RFC 9530, sha-256) and "content-type"; also "tenant-id" and "partner-code" where sent',
  },
  signatureInput: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature-Input',
    description: `The covered components, with created (at most ${limits.signatures.seconds} s ago), keyid, alg and nonce (used once)`,
  },
} as const;

/** How a call is authenticated. */
export const securityOf = (endpoint: EndpointShape): Record<string, never[]>[] => {
  if (endpoint.access.kind === 'public') return [];
  return acceptsApiKeys(endpoint)
    ? [{ bearer: [] }, { signature: [], signatureInput: [] }]
    : [{ bearer: [] }];
};

/**
 * The headers that a call takes in addition to its parameters, query and body (OpenAPI reserves `Authorization`
 * for the security schemes).
 */
export const requestHeadersOf = (endpoint: EndpointShape): z.ZodObject =>
  z.object({
    [headers.tenantId]: text.optional().describe('Tenant ID of the organisation that the request is for'),
    [headers.partnerCode]: text.optional().describe('Code of the same organisation'),
    [headers.timeZone]: text.optional().describe('IANA time zone of the caller, for dates in files'),
    [headers.timestamp]: text
      .optional()
      .describe('Time at the caller in milliseconds since 1970; not evaluated'),
    'accept-language': text.optional().describe('Language of messages: en-US, zh-CN, zh-TW, es-ES'),
    ...(acceptsIdempotencyKey(endpoint) && {
      [headers.idempotencyKey]: text
        .max(255)
        .optional()
        .describe(
          'Idempotency key: a repeated request with the same key and content returns the stored response',
        ),
    }),
    ...(acceptsApiKeys(endpoint) && {
      'content-digest': text
        .optional()
        .describe(
          'SHA-256 digest of the body (RFC 9530), covered by the signature; required for signed requests with a body',
        ),
    }),
    ...endpoint.headers?.shape,
  });

/** The form of a call that takes a file. */
export const uploadBody = z.object({ file: z.file().describe('csv, xls or xlsx') });

/** The responses of a call by status: codes, media types, schemas. */
export const responsesOf = (endpoint: EndpointShape) => {
  const byStatus = groupBy(errorCodesOf(endpoint), (code) => errorCatalogue[code].http);
  const refused = [...byStatus].filter(([status]) => status !== 200);
  return {
    200: {
      description: [successCode, ...(byStatus.get(200) ?? [])].join(', '),
      content: successOf(endpoint, byStatus.get(200) ?? []),
    },
    ...Object.fromEntries(
      refused.map(([status, codes]) => [
        status,
        { description: codes.join(', '), content: { [json]: { schema: failureOf(codes) } } },
      ]),
    ),
  };
};

/** A call with an ended session responds with 200, result 0502 and no data, whatever its usual response. */
const successOf = (
  { response, formats = [] }: EndpointShape,
  ended: readonly ErrorCode[],
): Record<string, { schema: z.ZodType }> => {
  if (typeof response !== 'string')
    return { [json]: { schema: withCodes(envelopeOf(response.nullable()), [successCode, ...ended]) } };
  const types = response === 'stream' ? ['text/event-stream'] : formats.map((format) => mediaTypes[format]);
  return {
    ...Object.fromEntries(types.map((type) => [type, { schema: text }])),
    ...(ended.length > 0 && { [json]: { schema: failureOf(ended) } }),
  };
};

const failureOf = (codes: readonly ErrorCode[]) => withCodes(failureSchema, codes);

const withCodes = (envelope: z.ZodObject, codes: readonly string[]) =>
  envelope.extend({ status: statusSchema.extend({ code: z.enum(codes) }) });

/** Names and descriptions of the headers of a response with this status. */
export const responseHeadersOf = (endpoint: EndpointShape, status: number): z.ZodObject =>
  z.object({
    [headers.traceId]: text.describe('Trace ID of the request, also in its log entries and in the envelope'),
    'cache-control': text.describe('no-store: the response must not be cached'),
    'x-ratelimit-limit': number.describe('Maximum calls of this kind per minute and address'),
    'x-ratelimit-remaining': number.describe('Remaining calls in this window'),
    'x-ratelimit-reset': number.describe('Seconds until the window resets'),
    ratelimit: text.describe(
      'The same as IETF RateLimit: r remaining calls, t seconds until the window resets',
    ),
    'ratelimit-policy': text.describe('The same as IETF RateLimit-Policy: q calls per w seconds'),
    // An earlier attempt of the write is still running (CB-00-0423).
    ...((status === 429 || status === 503 || (status === 409 && acceptsIdempotencyKey(endpoint))) && {
      'retry-after': number.describe('Seconds to wait before retrying'),
    }),
    ...(status === 200 && successHeadersOf(endpoint)),
  });

const successHeadersOf = (endpoint: EndpointShape) => ({
  ...(endpoint.response === 'file' && {
    'content-disposition': text.describe('Name of the file (RFC 6266)'),
  }),
  ...(endpoint.response === 'stream' && {
    'x-accel-buffering': text.describe('no: disables response buffering in proxies'),
  }),
  ...(acceptsIdempotencyKey(endpoint) && {
    [headers.idempotencyReplayed]: text.describe('true if this is the stored response of an earlier request'),
  }),
});
