import { endpoints } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';

/** The same permission as in the endpoint record; the server checks again. */
export const mayRename = (): boolean => {
  const { key, action } = endpoints.pool.rename.access;
  return session.can(key, action);
};

/** Renames a pool. @returns its new name; rejects with the server's error */
export const useRename = (poolId: string): ((name: string) => Promise<string>) => {
  const client = useQueryClient();
  return async (name) => {
    const request = { params: { poolId }, body: { name }, announce: false };
    const { data } = await call(endpoints.pool.rename, request);
    void client.invalidateQueries({
      predicate: ({ queryKey: [endpointId] }) =>
        typeof endpointId === 'string' && endpointId.startsWith('pool.'),
    });
    return data.name;
  };
};
