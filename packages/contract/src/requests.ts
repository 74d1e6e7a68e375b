import type { z } from 'zod';
import type { EndpointShape } from './endpoint.ts';

type Part<E extends EndpointShape, P extends 'params' | 'query' | 'body' | 'headers'> =
  E extends Record<P, infer S extends z.ZodType>
    ? object extends z.input<S>
      ? { [K in P]?: z.input<S> }
      : undefined extends z.input<S>
        ? { [K in P]?: z.input<S> }
        : { [K in P]: z.input<S> }
    : { [K in P]?: undefined };

/** Request of an endpoint, typed by its schemas; parts that may be empty may be omitted. */
export type RequestFor<E extends EndpointShape> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'> &
  Part<E, 'headers'>;

/** Untyped request of any endpoint. */
export interface UntypedRequest {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: unknown;
}

/** Path and query of a call. */
export const requestTargetOf = (endpoint: EndpointShape, { params, query }: UntypedRequest): string => {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf((params as Record<string, unknown> | undefined)?.[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item !== undefined && item !== null) search.append(name, textOf(item));
    }
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};

/** Headers that are specific to this call; those without a value are omitted. */
export const requestHeadersOf = ({ headers: values }: UntypedRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, textOf(value)]],
    ),
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
