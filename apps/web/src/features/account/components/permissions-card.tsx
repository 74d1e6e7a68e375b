import { permissionsByRole } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { isOwn, mayManage, mayWrite, nameOf } from '../account-rules.ts';
import { permissionsQuery, usePermissions } from '../api/use-accounts.ts';
import styles from './matrix.module.css';
import { NamePermissionsDialog } from './name-permissions-dialog.tsx';
import { PermissionEditor } from './permission-editor.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

/** The account's permissions by area; an open invitation has those of its role. */
export const PermissionsCard = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  if (account.status !== 'pending') return <EffectivePermissionsCard account={account} />;
  const ofRole = permissionsByRole[account.role];
  return (
    <Card title={t('account.permissions.title')}>
      <p className={styles['text']}>{t('account.permissions.pending')}</p>
      <PermissionMatrix changes={{}} effective={ofRole} name={nameOf(account)} ofRole={ofRole} />
    </Card>
  );
};

const EffectivePermissionsCard = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: response, error, refetch } = usePermissions(account.id);
  const [naming, setNaming] = useState(false);
  const permissions = response?.data;
  const refresh = async (): Promise<void> => {
    const { isSuccess } = await refetch();
    if (isSuccess) toast.info(t('account.permissions.refreshed'));
  };
  if (!permissions) {
    return (
      <Card title={t('account.permissions.title')}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={8} />}
      </Card>
    );
  }
  const role = t(`common.roles.${permissions.role}`);
  const editable = permissions.changeable && mayWrite() && mayManage(account) && !isOwn(account);
  const changed = Object.keys(permissions.changes).length > 0;
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
        permissions.name === null
          ? t('account.permissions.title')
          : t('account.permissions.named', { name: permissions.name })
      }
    >
      <p className={styles['text']}>
        {permissions.changeable
          ? t('account.permissions.text', { role })
          : t('account.permissions.allRights', { role })}
      </p>
      {editable ? (
        <PermissionEditor
          account={account}
          onSaved={(data) =>
            queries.setQueryData(
              permissionsQuery(account.id).queryKey,
              (cached) => cached && { ...cached, data },
            )
          }
          permissions={permissions}
        />
      ) : (
        <PermissionMatrix
          changes={permissions.changes}
          effective={permissions.effective}
          name={nameOf(account)}
          ofRole={permissions.of_role}
        />
      )}
      <NamePermissionsDialog
        account={account}
        name={permissions.name}
        onClose={() => setNaming(false)}
        open={naming}
      />
    </Card>
  );
};
