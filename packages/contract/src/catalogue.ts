import * as endpoints from './domains.ts';
import type { EndpointShape } from './endpoint.ts';

export const allEndpoints: readonly EndpointShape[] = Object.values(endpoints).flatMap((domain) =>
  Object.values<EndpointShape>(domain),
);
