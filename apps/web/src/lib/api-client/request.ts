import { type EndpointShape, headers, limits } from '@simcube/contract';
import type { z } from 'zod';
import { currentLanguage } from '../language/index.ts';
import { session } from '../session/index.ts';

type Part<E extends EndpointShape, P extends 'params' | 'query' | 'body' | 'headers'> =
  E extends Record<P, infer S extends z.ZodType>
    ? object extends z.input<S>
      ? { [K in P]?: z.input<S> }
      : undefined extends z.input<S>
        ? { [K in P]?: z.input<S> }
        : { [K in P]: z.input<S> }
    : { [K in P]?: undefined };

/** What the endpoint wants, typed by its schemas; parts that may be empty may be left out. */
export type RequestFor<E extends EndpointShape> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'> &
  Part<E, 'headers'>;

export interface LooseRequest {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
  /** Sent as a form instead of a body. */
  file?: File | undefined;
}

export const sendRequest = async (
  endpoint: EndpointShape,
  request: LooseRequest & { signal?: AbortSignal | undefined },
): Promise<Response> => {
  const body = bodyOf(request);
  return await fetch(urlOf(endpoint, request), {
    method: endpoint.method,
    headers: {
      ...commonHeaders(),
      // A form names its own type, with the boundary that only the browser knows.
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...ownHeaders(request),
    },
    body,
    signal: request.signal ?? null,
    credentials: 'omit',
    cache: 'no-store',
  });
};

/** RFC 7578: one file, in the part that the server's records call `file`. */
const bodyOf = ({ body, file }: LooseRequest): string | FormData | null => {
  if (file === undefined) return body === undefined ? null : JSON.stringify(body);
  const form = new FormData();
  form.append('file', file, file.name);
  return form;
};

/** The caller's wish to stop, and the specification's 1,200,000 ms. */
export const withTimeout = (signal: AbortSignal | undefined): AbortSignal => {
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
};

const urlOf = (endpoint: EndpointShape, { params, query }: LooseRequest): string => {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf((params as Record<string, unknown> | undefined)?.[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one !== undefined && one !== null) search.append(name, textOf(one));
    }
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};

/** Headers that this call alone carries; one without a value is left out. */
const ownHeaders = ({ headers: own }: LooseRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries((own ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, textOf(value)]],
    ),
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Carried by every call (specification, section 7). */
const commonHeaders = (): Record<string, string> => {
  const token = session.get('token');
  const partnerCode = session.get('partnerCode');
  const tenantId = session.get('tenantId');
  return {
    accept: 'application/json',
    'accept-language': currentLanguage(),
    [headers.timestamp]: String(Date.now()),
    [headers.timeZone]: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(partnerCode === null ? {} : { [headers.partnerCode]: encodeURIComponent(partnerCode) }),
    ...(tenantId === null ? {} : { [headers.tenantId]: encodeURIComponent(tenantId) }),
  };
};
