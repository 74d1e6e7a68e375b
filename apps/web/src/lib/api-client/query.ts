import type { EndpointShape, ResponseOf } from '@simcube/contract';
import { queryOptions } from '@tanstack/react-query';
import { ApiFailure } from './api-failure.ts';
import { type Answer, type CallOptions, call } from './call.ts';
import type { RequestFor } from './request.ts';

type Arguments<E extends EndpointShape> =
  object extends RequestFor<E> ? [request?: RequestFor<E>] : [request: RequestFor<E>];

/**
 * Query options for a call that reads: `useQuery(endpointQuery(endpoints.sim.basic, { query: { iccid } }))`.
 * Failures are for the screen to show in place. The key starts with the endpoint's id, so
 * `invalidateQueries({ queryKey: [endpoint.id] })` reads all of its answers again.
 */
export const endpointQuery = <E extends EndpointShape>(endpoint: E, ...[request]: Arguments<E>) =>
  queryOptions<Answer<ResponseOf<E>>, ApiFailure>({
    queryKey: [endpoint.id, request ?? {}],
    queryFn: ({ signal }) => {
      const options: CallOptions = { signal, announce: false };
      return (call as (endpoint: E, request: object) => Promise<Answer<ResponseOf<E>>>)(endpoint, {
        ...request,
        ...options,
      });
    },
    retry: (failures, failure) => endpoint.retry === 'safe' && failures < 2 && mayPass(failure),
  });

/** Only temporary failures are retried: no response, overload, a restart. */
const mayPass = (failure: unknown): boolean =>
  failure instanceof ApiFailure && [0, 429, 502, 503, 504].includes(failure.http);
