import type { EndpointShape, RequestFor, ResponseOf } from '@simcube/contract';
import { queryOptions } from '@tanstack/react-query';
import { ApiFailure, isTemporary } from './api-failure.ts';
import { type ApiResponse, type CallOptions, call } from './call.ts';

type Arguments<E extends EndpointShape> =
  object extends RequestFor<E> ? [request?: RequestFor<E>] : [request: RequestFor<E>];

const longestBackoffMs = 15_000;
/** Upper limit of the pause that the server asks for: somebody is looking at the page. */
const longestRetryAfterMs = 60_000;

/**
 * Query options for a call that reads: `useApiQuery(endpointQuery(endpoints.sim.basic, { query: { iccid } }))`. The screen shows
 * failures in place; temporary ones are retried while the data is on screen. The key starts with the endpoint's id, so
 * `invalidateQueries({ queryKey: [endpoint.id] })` refetches all responses of that endpoint.
 */
export const endpointQuery = <E extends EndpointShape>(endpoint: E, ...[request]: Arguments<E>) =>
  queryOptions<ApiResponse<ResponseOf<E>>, ApiFailure>({
    queryKey: [endpoint.id, request ?? {}],
    queryFn: ({ signal }) => {
      const options: CallOptions = { signal, announce: false };
      return (call as (endpoint: E, request: object) => Promise<ApiResponse<ResponseOf<E>>>)(endpoint, {
        ...request,
        ...options,
      });
    },
    ...(endpoint.retry === 'safe' ? retryTemporaryFailures : { retry: false }),
  });

/**
 * Retries temporary failures while the data is on screen; after random pauses, as many consoles may be waiting for the same
 * server.
 */
export const retryTemporaryFailures = {
  retry: (_: number, failure: Error): boolean => isTemporary(failure),
  retryDelay: (failures: number, failure: Error): number => {
    const backoffMs = Math.min(1000 * 2 ** failures, longestBackoffMs) * (0.5 + Math.random() / 2);
    const retryAfterMs = failure instanceof ApiFailure ? (failure.retryAfterMs ?? 0) : 0;
    return Math.min(retryAfterMs, longestRetryAfterMs) + backoffMs;
  },
};
