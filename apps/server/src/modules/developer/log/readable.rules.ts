import { allEndpoints, allows, type EndpointShape, type PermissionMap } from '@simcube/contract';
import type { ApiCall } from '@simcube/contract/developer';

/** A call of the log, with the id of its endpoint; null if its path is unknown, or an earlier version stored it. */
export interface LoggedCall {
  endpoint: string | null;
  call: ApiCall;
}

const byId = new Map(allEndpoints.map((endpoint) => [endpoint.id, endpoint]));

const patternOf = ({ path }: EndpointShape): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const patterns = allEndpoints.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint) }));

/**
 * Leaves out what was sent and received in calls that a caller with these permissions may not make: the log must
 * not show what the caller may no longer read. The line remains.
 */
export const readableCalls = (permissions: PermissionMap, calls: readonly LoggedCall[]): ApiCall[] =>
  calls.map(({ endpoint, call }) =>
    endpointsOf(endpoint, call).every((one) => mayCall(permissions, one))
      ? call
      : { ...call, header: null, body: null, response: null },
  );

/** Undefined: an endpoint that no longer exists, or a path that can't be read. */
const mayCall = (permissions: PermissionMap, endpoint: EndpointShape | undefined): boolean =>
  endpoint !== undefined &&
  (endpoint.access.kind !== 'permission' || allows(permissions, endpoint.access.key, endpoint.access.action));

const endpointsOf = (id: string | null, { method, path }: ApiCall): (EndpointShape | undefined)[] => {
  if (id !== null) return [byId.get(id)];
  const pathname = decodedPath(path);
  if (pathname === undefined) return [undefined];
  const served = method === 'HEAD' ? 'GET' : method;
  return patterns.flatMap(({ endpoint, pattern }) =>
    endpoint.method === served && pattern.test(pathname) ? [endpoint] : [],
  );
};

/** As the router reads it: each segment decoded, so that an encoded slash separates none. */
const decodedPath = (path: string): string | undefined => {
  const [pathname = ''] = path.split('?');
  try {
    return pathname
      .split('/')
      .map((segment) => decodeURIComponent(segment).replaceAll('/', '_'))
      .join('/');
  } catch {
    return undefined;
  }
};
