import { endpoints, permissionsByRole } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { isOwn, mayManage, mayWrite, nameOf } from '../account-words.ts';
import { usePermissions } from '../api/use-accounts.ts';
import styles from './matrix.module.css';
import { NameSetDialog } from './name-set-dialog.tsx';
import { PermissionEditor } from './permission-editor.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

/** The account's permissions by area; an open invitation has those of its role. */
export const PermissionsCard = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  if (account.status !== 'pending') return <RightsCard account={account} />;
  const ofRole = permissionsByRole[account.role];
  return (
    <Card title={t('account.permissions.title')}>
      <p className={styles['text']}>{t('account.permissions.pending')}</p>
      <PermissionMatrix changes={{}} effective={ofRole} name={nameOf(account)} ofRole={ofRole} />
    </Card>
  );
};

const RightsCard = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: answer, error, refetch } = usePermissions(account.id);
  const [naming, setNaming] = useState(false);
  const rights = answer?.data;
  const refresh = async (): Promise<void> => {
    const { isSuccess } = await refetch();
    if (isSuccess) toast.info(t('account.permissions.refreshed'));
  };
  if (!rights) {
    return (
      <Card title={t('account.permissions.title')}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={8} />}
      </Card>
    );
  }
  const role = t(`common.roles.${rights.role}`);
  const editable = rights.changeable && mayWrite() && mayManage(account) && !isOwn(account);
  const changed = Object.keys(rights.changes).length > 0;
  return (
    <Card
      extra={
        <>
          {editable && changed ? (
            <Button onClick={() => setNaming(true)} size="small">
              {t('account.permissions.nameSet')}
            </Button>
          ) : null}
          <Button onClick={() => void refresh()} size="small">
            {t('account.permissions.refresh')}
          </Button>
        </>
      }
      title={
        rights.name === null
          ? t('account.permissions.title')
          : t('account.permissions.named', { name: rights.name })
      }
    >
      <p className={styles['text']}>
        {rights.changeable
          ? t('account.permissions.text', { role })
          : t('account.permissions.allRights', { role })}
      </p>
      {editable ? (
        <PermissionEditor
          account={account}
          onSaved={(data) =>
            queries.setQueriesData(
              { queryKey: [endpoints.account.getPermissions.id] },
              (before: typeof answer) => (before && before === answer ? { ...before, data } : before),
            )
          }
          rights={rights}
        />
      ) : (
        <PermissionMatrix
          changes={rights.changes}
          effective={rights.effective}
          name={nameOf(account)}
          ofRole={rights.of_role}
        />
      )}
      <NameSetDialog account={account} name={rights.name} onClose={() => setNaming(false)} open={naming} />
    </Card>
  );
};
