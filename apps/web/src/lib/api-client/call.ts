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
import { toast } from '../toast/index.ts';
import { ApiFailure } from './api-failure.ts';
import { handleFailure } from './failure-handling.ts';
import { type SentRequest, sendRequest, withTimeout } from './request.ts';
import { needsWriteKey, type WriteKey, withWriteKey } from './write-key.ts';

export interface ApiResponse<T> {
  data: T;
  totalCount: number | null;
  /** `gte`: there are more than can be counted quickly. */
  totalRelation: 'eq' | 'gte';
  nextCursor: string | null;
  /** ISO instant at which the data was current. */
  asOf: string | null;
  /** Says which facts the data includes (`includesEvent`), so that live events can continue from it. */
  snapshot?: string | undefined;
  traceId: string | null;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** False if the caller shows the failure in place; failures that concern the session are handled in any case. */
  announce?: boolean;
  /**
   * Fields of the body that say what the person agreed to, such as the digest of a preview. They do not make it another write: one
   * that is repeated after its response was lost (`withWriteKey`) is sent with those of the first attempt.
   */
  agreed?: Record<string, string> | undefined;
}

type Arguments<E extends EndpointShape> =
  object extends RequestFor<E>
    ? [request?: RequestFor<E> & CallOptions]
    : [request: RequestFor<E> & CallOptions];

/**
 * Makes a call to the gateway, typed by its endpoint record. Resolves with the envelope's content; rejects with `ApiFailure`
 * after the generic handling, or with the abort reason if the caller's signal stopped it.
 */
export const call = async <E extends EndpointShape>(
  endpoint: E,
  ...[request]: Arguments<E>
): Promise<ApiResponse<ResponseOf<E>>> => {
  const { announce = true, signal, agreed, ...parts } = (request ?? {}) as SentRequest & CallOptions;
  const send = async (as: Partial<WriteKey>): Promise<ApiResponse<ResponseOf<E>>> => {
    const response = await requestResponse(endpoint, {
      ...parts,
      ...(as.agreed && { body: { ...(parts.body as object), ...as.agreed } }),
      headers: { ...(parts.headers as object | undefined), [headers.idempotencyKey]: as.key },
      signal,
    });
    const answer = await readResponse<ResponseOf<E>>(response);
    // Data that was requested is rendered, so it must have the right shape; an order has been executed whatever its response
    // looks like.
    if (endpoint.retry === 'safe' && !hasExpectedShape(endpoint, answer.data)) throw unexpected(response);
    if (response.headers.has(headers.idempotencyReplayed)) toast.info(translate('errors.client.alreadyDone'));
    return answer;
  };
  // A call that its caller may abort is a preview: it changes nothing.
  const isKeyed = signal === undefined && needsWriteKey(endpoint);
  return withFailureHandling({ signal, announce, removes: endpoint.method === 'DELETE' }, () =>
    isKeyed ? withWriteKey({ id: endpoint.id, ...parts, agreed }, send) : send({ agreed }),
  );
};

/** Whether the data is of the expected kind, a list or an object. One in place of the other would break the whole page. */
const hasExpectedShape = ({ response }: EndpointShape, data: unknown): boolean =>
  typeof response === 'string' ||
  !response
    .safeParse(data)
    .error?.issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/** Runs the generic handling of failures, unless the caller's signal stopped the call. */
const withFailureHandling = async <T>(
  { signal, ...handling }: { signal: AbortSignal | undefined; announce: boolean; removes?: boolean },
  work: () => Promise<T>,
): Promise<T> => {
  const sentAs = { token: session.get('token'), organisation: session.get('partnerCode') };
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ApiFailure) handleFailure(error, { ...handling, ...sentAs });
    throw error;
  }
};

/** A call whose record takes a file (`upload`); responses and failures are those of any call. */
export const upload = async <E extends EndpointShape & { upload: object }>(
  endpoint: E,
  request: RequestFor<E> & CallOptions & { file: File },
): Promise<ApiResponse<ResponseOf<E>>> =>
  await (call as (endpoint: E, request: object) => Promise<ApiResponse<ResponseOf<E>>>)(endpoint, request);

/** Resolves with the response of a stream once the server has accepted it; other responses are failures, as for any call. */
export const openStream = async (
  endpoint: EndpointShape,
  request: SentRequest & { signal: AbortSignal; headers: Record<string, string> },
): Promise<Response> => {
  return withFailureHandling({ signal: request.signal, announce: false }, async () => {
    const response = await withNetworkFailure(() => sendRequest(endpoint, request));
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && type.includes('text/event-stream')) return response;
    await readResponse(response);
    throw unexpected(response);
  });
};

export interface DownloadedFile {
  blob: Blob;
  /** The file name from the server, or one derived from the endpoint's id. */
  name: string;
}

/** Downloads the file that a call returns; failures are those of any call. */
export const download = async <E extends EndpointShape & { response: 'file' }>(
  endpoint: E,
  ...[request]: Arguments<E>
): Promise<DownloadedFile> => {
  const { announce = true, signal, ...parts } = (request ?? {}) as SentRequest & CallOptions;
  return withFailureHandling({ signal, announce }, async () => {
    const response = await requestResponse(endpoint, { ...parts, signal });
    const disposition = response.headers.get('content-disposition');
    if (response.ok && disposition !== null) {
      return {
        blob: await withNetworkFailure(() => response.blob()),
        name: fileNameOf(disposition) ?? endpoint.id,
      };
    }
    await readResponse(response);
    throw unexpected(response);
  });
};

/** The name in a Content-Disposition header (RFC 6266). The extended form, which may contain any characters, takes precedence. */
const fileNameOf = (disposition: string): string | undefined => {
  const extended = /filename\*=utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Invalid encoding: the plain form may still be present.
    }
  }
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? /filename=([^;\s]+)/i.exec(disposition)?.[1];
};

const requestResponse = (
  endpoint: EndpointShape,
  { signal, ...parts }: SentRequest & { signal: AbortSignal | undefined },
): Promise<Response> =>
  withNetworkFailure(() => sendRequest(endpoint, { ...parts, signal: withTimeout(signal) }));

/** The connection may also be lost while the body of a response arrives. */
const withNetworkFailure = async <T>(receive: () => Promise<T>): Promise<T> => {
  try {
    return await receive();
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

/** The envelope only: its content is checked by the caller. */
const envelopeSchema = envelopeOf(z.unknown());

const readResponse = async <T>(response: Response): Promise<ApiResponse<T>> => {
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
  const text = await withNetworkFailure(() => response.text());
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** A response that is not from our server, for example a proxy's error page. */
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

/** Seconds, as our server and most proxies send it; for a date, the usual pauses apply. */
const retryAfterMsOf = (response: Response): number | undefined => {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
};
