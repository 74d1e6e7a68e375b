import { allEndpoints, allows, type EndpointShape, type PermissionMap } from '@simcube/contract';
import type { ApiCall } from '@simcube/contract/developer';

const patternOf = ({ path }: EndpointShape): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const guarded = allEndpoints.flatMap(({ access, ...endpoint }) =>
  access.kind === 'permission'
    ? [{ access, method: endpoint.method, pattern: patternOf({ access, ...endpoint }) }]
    : [],
);

/**
 * Leaves out what was sent and received in calls that a caller with these permissions may not make: the log must
 * not show what the caller may no longer read. The line remains.
 */
export const readableCalls = (permissions: PermissionMap, calls: readonly ApiCall[]): ApiCall[] => {
  const refused = guarded.filter(({ access }) => !allows(permissions, access.key, access.action));
  const isReadable = ({ method, path }: ApiCall): boolean => {
    const [pathname = ''] = path.split('?');
    return !refused.some((one) => one.method === method && one.pattern.test(pathname));
  };
  return calls.map((call) =>
    isReadable(call) ? call : { ...call, header: null, body: null, response: null },
  );
};
