import { endpoints, limits } from '@simcube/contract';
import type { ApiKey } from '@simcube/contract/developer';
import { Button, Tooltip } from 'antd';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { useHandler } from '../../../ui/handler/index.ts';
import { ListPanel, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { mayWrite } from '../may-write.ts';
import { type DeveloperSearch, developerSearch } from '../search.ts';
import { CreatedKeyDialog } from './created-key-dialog.tsx';
import { useKeyColumns } from './key-columns.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { type CreatedKey, useKeyName, useKeys, useRemoveKey } from './use-keys.ts';

/** The account's keys; a new one is shown in full only once. */
export const KeysPanel = (address: SearchScreenProps<DeveloperSearch>) => {
  const { t } = useTranslation();
  const [created, setCreated] = useState<CreatedKey>();
  const nameOf = useKeyName();
  const remove = useHandler(useRemoveKey());
  const copy = useHandler(useCopy());
  const list = useList({
    name: 'api-keys',
    of: developerSearch,
    address,
    query: usePageQuery(address.search, (page) =>
      endpointQuery(endpoints.developer.listKeys, { query: page }),
    ),
    columns: useKeyColumns(),
  });
  const menuOf = useCallback(
    (key: ApiKey) => (
      <ActionMenu
        items={() => [
          {
            key: 'public',
            label: t('kit.copy', { what: t('developer.keys.publicKey') }),
            onClick: () => copy(key.public_key),
          },
          ...(mayWrite()
            ? [{ key: 'remove', label: t('developer.keys.remove'), danger: true, onClick: () => remove(key) }]
            : []),
        ]}
        label={t('developer.keys.menu', { name: nameOf(key) })}
      />
    ),
    [t, nameOf, copy, remove],
  );
  return (
    <ListPanel
      empty={{ title: t('developer.keys.empty'), hint: t('developer.keys.emptyHint') }}
      label={t('developer.tabs.keys')}
      list={list}
      noMatch={{ title: t('developer.keys.empty'), hint: t('developer.keys.emptyHint') }}
      rowKey={({ id }) => id}
      rowActions={menuOf}
    >
      <KeyDialog
        onClose={list.close}
        onCreated={(key) => {
          setCreated(key);
          list.close();
        }}
        open={list.search.make === 'key' && mayWrite()}
      />
      <CreatedKeyDialog created={created} onClose={() => setCreated(undefined)} />
    </ListPanel>
  );
};

/** The main action of the keys; disabled with a reason if the person may not create one, or has the maximum number. */
export const NewKeyButton = ({ onCreate }: { onCreate: () => void }) => {
  const { t } = useTranslation();
  const total = useKeys().data?.totalCount ?? 0;
  const reason = disabledReason(total);
  const why =
    reason === null ? undefined : t(`developer.keys.why.${reason}`, { max: limits.apiKeys.perAccount });
  return (
    <Tooltip title={why}>
      {/* A disabled button gets no pointer events, so its wrapper handles them. */}
      <span>
        <Button
          {...(why === undefined ? {} : { 'aria-description': why })}
          disabled={reason !== null}
          onClick={onCreate}
          type="primary"
        >
          {t('developer.keys.new')}
        </Button>
      </span>
    </Tooltip>
  );
};

const disabledReason = (total: number): 'permission' | 'maximum' | null => {
  if (!mayWrite()) return 'permission';
  return total >= limits.apiKeys.perAccount ? 'maximum' : null;
};
