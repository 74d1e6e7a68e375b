import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type EndpointShape,
  type Envelope,
  type LooseRequest,
  headers as names,
  ownHeadersOf,
  type RequestFor,
  type ResponseOf,
  successCode,
  takesIdempotencyKey,
  targetOf,
} from '@simcube/contract';
import { CallFailure } from './failure.ts';
import { type SigningKey, signedHeaders } from './signature.ts';

export interface ClientOptions extends SigningKey {
  /** The server's public URL, such as `https://sim.example.com`. */
  url: string;
  /** Of messages and files; `en-US` when not given. */
  language?: string;
  /** Times that a call which may be repeated is sent, when the server is away or asks for patience. */
  attempts?: number;
  /** What signatures take the time from. */
  now?: () => Date;
}

/** The content of the envelope. */
export interface CallAnswer<T> {
  data: T;
  totalCount: number | null;
  nextCursor: string | null;
  asOf: string | null;
  traceId: string;
}

export interface FileAnswer {
  name: string | null;
  type: string | null;
  content: Uint8Array;
}

interface CallOptions {
  /** Of a write: sent again with the same one and content, it is done once. One is made when none is given. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Of calls whose record has `upload`. */
  file?: { name: string; content: string | Uint8Array };
}

type Arguments<E extends EndpointShape> =
  object extends RequestFor<E>
    ? [request?: RequestFor<E> & CallOptions]
    : [request: RequestFor<E> & CallOptions];

export interface Client {
  /** @throws CallFailure when the call was refused; what `fetch` throws when the server can't be reached */
  call<E extends EndpointShape>(endpoint: E, ...request: Arguments<E>): Promise<CallAnswer<ResponseOf<E>>>;
  /** The same of a call that answers a file. */
  download<E extends EndpointShape>(endpoint: E, ...request: Arguments<E>): Promise<FileAnswer>;
  /** Every row of a list, page after page by cursor. */
  rows<E extends EndpointShape>(endpoint: E, ...request: Arguments<E>): AsyncGenerator<RowOf<E>>;
}

type RowOf<E extends EndpointShape> = ResponseOf<E> extends readonly (infer Row)[] ? Row : never;

/** Calls the API with an API key, typed by the endpoint records. */
export const createClient = (options: ClientOptions): Client => {
  const send = (endpoint: EndpointShape, request: LooseRequest & CallOptions): Promise<Response> =>
    sendSigned(options, endpoint, request);
  const call: Client['call'] = async (endpoint, ...[request]) =>
    readEnvelope(await send(endpoint, request ?? {}));
  return {
    call,

    async download(endpoint, ...[request]) {
      const answer = await send(endpoint, request ?? {});
      if (!answer.ok) await readEnvelope(answer);
      const disposition = answer.headers.get('content-disposition') ?? '';
      const name = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
      return {
        name: name === undefined ? null : decodeURIComponent(name),
        type: answer.headers.get('content-type'),
        content: new Uint8Array(await answer.arrayBuffer()),
      };
    },

    async *rows(endpoint, ...[request]) {
      const part = endpoint.query && 'page_no' in endpoint.query.shape ? 'query' : 'body';
      let cursor: string | null = null;
      do {
        const asked: object = {
          ...(request?.[part] as object | undefined),
          ...(cursor !== null && { cursor }),
        };
        const answer: CallAnswer<object[]> = await readEnvelope(
          await send(endpoint, { ...request, [part]: asked }),
        );
        yield* answer.data as RowOf<typeof endpoint>[];
        cursor = answer.nextCursor;
      } while (cursor !== null);
    },
  };
};

const usualAttempts = 3;
const busy = new Set([429, 502, 503, 504]);

/** Sends a call that may be repeated until it is answered, each time with a signature of its own. */
const sendSigned = async (
  options: ClientOptions,
  endpoint: EndpointShape,
  request: LooseRequest & CallOptions,
): Promise<Response> => {
  const isOrder = endpoint.retry === 'never' && takesIdempotencyKey(endpoint);
  const { idempotencyKey = isOrder ? randomUUID() : undefined, ...parts } = request;
  const made = prepared(options, endpoint, { ...parts, ...(idempotencyKey && { idempotencyKey }) });
  const attempts = isOrder || endpoint.retry === 'safe' ? (options.attempts ?? usualAttempts) : 1;
  for (let attempt = 1; ; attempt += 1) {
    const now = options.now?.() ?? new Date();
    const signed = signedHeaders(made, options, { now });
    const { method, url, body } = made;
    const sent = { method, headers: signed, body: body ?? null, signal: request.signal ?? null };
    const isLast = attempt >= attempts;
    try {
      const answer = await fetch(url, sent);
      if (isLast || !busy.has(answer.status)) return answer;
      await answer.body?.cancel();
      await wait(pauseOf(attempt, answer.headers.get('retry-after'), now));
    } catch (error) {
      if (isLast || request.signal?.aborted) throw error;
      await wait(pauseOf(attempt, null, now));
    }
  }
};

const longestPauseMs = 60_000;

/** Before the next attempt; a server says in seconds or by a date for how long it wants to be left alone (RFC 9110, 10.2.3). */
const pauseOf = (attempt: number, retryAfter: string | null, now: Date): number => {
  const usual = 250 * 2 ** attempt;
  if (retryAfter === null) return usual;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime();
  return Math.min(asked >= 0 ? asked : usual, longestPauseMs);
};

const prepared = (
  { url, language = 'en-US' }: ClientOptions,
  endpoint: EndpointShape,
  { idempotencyKey, file, ...request }: LooseRequest & CallOptions,
) => {
  const content = file ? formOf(file) : jsonOf(request.body);
  return {
    method: endpoint.method,
    url: `${url.replace(/\/+$/, '')}${targetOf(endpoint, request)}`,
    headers: {
      ...{ accept: 'application/json', 'accept-language': language },
      ...(content && { 'content-type': content.type }),
      ...(idempotencyKey !== undefined && { [names.idempotencyKey]: idempotencyKey }),
      ...ownHeadersOf(request),
    },
    body: content?.body,
  };
};

const jsonOf = (body: unknown) =>
  body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };

/** A form with one file (RFC 7578), whose octets are known before it is sent, as its digest is signed. */
const formOf = ({ name, content }: NonNullable<CallOptions['file']>) => {
  const boundary = `simcube-${randomUUID()}`;
  const named = name.replaceAll(/["\r\n]/g, '_');
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${named}"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
};

const readEnvelope = async <T>(answer: Response): Promise<CallAnswer<T>> => {
  const text = await answer.text();
  const envelope = envelopeOf<T>(text);
  if (!answer.ok || envelope?.status.code !== successCode) {
    throw new CallFailure({
      message: envelope?.status.message ?? `HTTP ${answer.status}`,
      code: envelope?.status.code ?? null,
      http: answer.status,
      issues: envelope?.status.detail?.issues ?? [],
      traceId: answer.headers.get(names.traceId),
    });
  }
  return {
    data: envelope.data,
    totalCount: envelope.total_count ?? null,
    nextCursor: envelope.next_cursor ?? null,
    asOf: envelope.as_of ?? null,
    traceId: envelope.trace_id,
  };
};

const envelopeOf = <T>(text: string): Envelope<T> | undefined => {
  try {
    const read = JSON.parse(text) as Partial<Envelope<T>> | null;
    return read?.status ? (read as Envelope<T>) : undefined;
  } catch {
    return undefined;
  }
};
