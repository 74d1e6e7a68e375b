import { endpoints, limits } from '@simcube/contract';
import type { ApiKey } from '@simcube/contract/developer';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

export interface CreatedKey {
  key: ApiKey;
  /** PEM (PKCS #8). */
  private_key: string;
}

/** All keys of the account in the organisation: one page holds the maximum number. */
const all = endpointQuery(endpoints.developer.listKeys, { query: { page_size: limits.apiKeys.perAccount } });

export const useKeys = () => useApiQuery(all);

export const useRefetchKeys = () => {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [endpoints.developer.listKeys.id] });
};

export const useKeyName = () => {
  const { t } = useTranslation();
  return useCallback(
    ({ id, name }: Pick<ApiKey, 'id' | 'name'>): string =>
      name ?? t('developer.keys.unnamed', { id: id.slice(0, 8) }),
    [t],
  );
};

/** Removes a key after confirmation. */
export const useRemoveKey = () => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const nameOf = useKeyName();
  const refetch = useRefetchKeys();
  return (key: ApiKey): void =>
    void attempt(async () => {
      const name = nameOf(key);
      const confirmed = await confirm({
        title: t('developer.keys.removeTitle', { name }),
        body: t('developer.keys.removeText'),
        action: t('developer.keys.remove'),
        danger: true,
      });
      if (!confirmed) return;
      try {
        await call(endpoints.developer.removeKey, { params: { id: key.id } });
      } finally {
        // Even if it failed: it may have been removed in another window.
        await refetch();
      }
      toast.success(t('developer.keys.removed', { name }));
    });
};
