import {
  type EndpointShape,
  envelopeOf,
  headers,
  type RequestFor,
  type ResponseOf,
  successCode,
  successResult,
} from '@simcube/contract';
import { z } from 'zod';
import { translate } from '../language/index.ts';
import { session } from '../session/index.ts';
import { ApiFailure } from './api-failure.ts';
import { reactTo } from './reactions.ts';
import { type SentRequest, sendRequest, withTimeout } from './request.ts';

export interface Answer<T> {
  data: T;
  totalCount: number | null;
  /** `gte`: there are more than could be counted quickly. */
  totalRelation: 'eq' | 'gte';
  nextCursor: string | null;
  /** ISO instant that the data is true as of. */
  asOf: string | null;
  /** Which facts the data holds (`holdsEvent`), where live events go on from it. */
  snapshot?: string | undefined;
  traceId: string | null;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** False when the caller shows the failure in place; what concerns the session is handled all the same. */
  announce?: boolean;
  /** Of an order that must not be done twice: sent again with the same key, it is answered as it was the first time. */
  idempotencyKey?: string;
}

type Arguments<E extends EndpointShape> =
  object extends RequestFor<E>
    ? [request?: RequestFor<E> & CallOptions]
    : [request: RequestFor<E> & CallOptions];

/**
 * One call of the gateway, typed by its endpoint record. Resolves with the envelope's content; rejects with
 * `ApiFailure` after the generic handling, or with the abort reason when the caller's signal stopped it.
 */
export const call = async <E extends EndpointShape>(
  endpoint: E,
  ...[request]: Arguments<E>
): Promise<Answer<ResponseOf<E>>> => {
  const { announce = true, signal, idempotencyKey, ...parts } = (request ?? {}) as SentRequest & CallOptions;
  const own = { ...(parts.headers as object | undefined), [headers.idempotencyKey]: idempotencyKey };
  return withReactions({ signal, announce }, async () => {
    const response = await answerOf(endpoint, { ...parts, headers: own, signal });
    const answer = await readAnswer<ResponseOf<E>>(response);
    // What was asked for is drawn; an order has been done, whatever its answer looks like.
    if (endpoint.retry === 'safe' && !isOfKind(endpoint, answer.data)) throw unexpected(response);
    return answer;
  });
};

/** Whether data is of the kind that screens draw: a list, or a thing. One where the other must be breaks the whole page. */
const isOfKind = ({ response }: EndpointShape, data: unknown): boolean =>
  typeof response === 'string' ||
  !response
    .safeParse(data)
    .error?.issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/** The generic handling of what fails, unless the caller's signal stopped it. */
const withReactions = async <T>(
  { signal, announce }: { signal: AbortSignal | undefined; announce: boolean },
  work: () => Promise<T>,
): Promise<T> => {
  const token = session.get('token');
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ApiFailure) reactTo(error, { announce, token });
    throw error;
  }
};

/** A call whose record takes a file (`upload`): answered, and refused, like any call. */
export const upload = async <E extends EndpointShape & { upload: object }>(
  endpoint: E,
  request: RequestFor<E> & CallOptions & { file: File },
): Promise<Answer<ResponseOf<E>>> =>
  await (call as (endpoint: E, request: object) => Promise<Answer<ResponseOf<E>>>)(endpoint, request);

/** A stream's response once the server has accepted it; other answers are failures like any call's. */
export const openStream = async (
  endpoint: EndpointShape,
  request: SentRequest & { signal: AbortSignal; headers: Record<string, string> },
): Promise<Response> => {
  return withReactions({ signal: request.signal, announce: false }, async () => {
    const response = await noAnswerAsFailure(() => sendRequest(endpoint, request));
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && type.includes('text/event-stream')) return response;
    await readAnswer(response);
    throw unexpected(response);
  });
};

export interface DownloadedFile {
  blob: Blob;
  /** The server's name for it, or one of the endpoint's id. */
  name: string;
}

/** The file that a call answers with; failures are those of any call. */
export const download = async <E extends EndpointShape & { response: 'file' }>(
  endpoint: E,
  ...[request]: Arguments<E>
): Promise<DownloadedFile> => {
  const { announce = true, signal, ...parts } = (request ?? {}) as SentRequest & CallOptions;
  return withReactions({ signal, announce }, async () => {
    const response = await answerOf(endpoint, { ...parts, signal });
    const disposition = response.headers.get('content-disposition');
    if (response.ok && disposition !== null) {
      return { blob: await response.blob(), name: fileNameOf(disposition) ?? endpoint.id };
    }
    await readAnswer(response);
    throw unexpected(response);
  });
};

/** The name in a Content-Disposition header (RFC 6266): the extended form, which may have any letters, goes first. */
const fileNameOf = (disposition: string): string | undefined => {
  const extended = /filename\*=utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Not well encoded: the plain form may still be there.
    }
  }
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? /filename=([^;\s]+)/i.exec(disposition)?.[1];
};

const answerOf = (
  endpoint: EndpointShape,
  { signal, ...parts }: SentRequest & { signal: AbortSignal | undefined },
): Promise<Response> =>
  noAnswerAsFailure(() => sendRequest(endpoint, { ...parts, signal: withTimeout(signal) }));

const noAnswerAsFailure = async (send: () => Promise<Response>): Promise<Response> => {
  try {
    return await send();
  } catch (cause) {
    throw new ApiFailure({
      code: null,
      resultCode: null,
      http: 0,
      message: translate('errors.client.networkError'),
      issues: [],
      traceId: null,
      cause,
    });
  }
};

/** The frame alone: what it carries is checked by the call that asked for it. */
const envelopeSchema = envelopeOf(z.unknown());

const readAnswer = async <T>(response: Response): Promise<Answer<T>> => {
  const { data: envelope } = envelopeSchema.safeParse(await readJson(response));
  if (!envelope) throw unexpected(response);
  const { status, resultCode } = envelope;
  if (!(response.ok && status.success && status.code === successCode && resultCode === successResult)) {
    throw new ApiFailure({
      code: status.code,
      resultCode,
      http: response.status,
      message: status.message,
      issues: status.detail?.issues ?? [],
      traceId: envelope.trace_id,
      retryAfterMs: retryAfterMsOf(response),
    });
  }
  return {
    data: envelope.data as T,
    totalCount: envelope.total_count ?? null,
    totalRelation: envelope.total_relation ?? 'eq',
    nextCursor: envelope.next_cursor ?? null,
    asOf: envelope.as_of ?? null,
    ...(envelope.snapshot === undefined ? {} : { snapshot: envelope.snapshot }),
    traceId: envelope.trace_id,
  };
};

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return null;
  }
};

/** An answer that is not ours, for example a proxy's error page. */
const unexpected = (response: Response): ApiFailure =>
  new ApiFailure({
    code: null,
    resultCode: null,
    http: response.status,
    message: translate('errors.client.unexpectedAnswer'),
    issues: [],
    traceId: response.headers.get(headers.traceId),
    retryAfterMs: retryAfterMsOf(response),
  });

/** In seconds, as our server and most proxies say it; a date is left to the usual pauses. */
const retryAfterMsOf = (response: Response): number | undefined => {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
};
