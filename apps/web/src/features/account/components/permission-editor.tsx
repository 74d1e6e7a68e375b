import { endpoints, type PermissionKey, permissionKeys } from '@simcube/contract';
import type { Account, AccountPermissions } from '@simcube/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { joinList } from '../../../lib/format/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { nameOf } from '../account-rules.ts';
import { refetchAccounts } from '../api/use-accounts.ts';
import { actionsOf, type PermissionDraft, toggled } from '../permission-draft.ts';
import styles from './matrix.module.css';
import { PermissionMatrix } from './permission-matrix.tsx';

interface EditorProps {
  account: Account;
  permissions: AccountPermissions;
  onSaved: (permissions: AccountPermissions) => void;
}

/** Edits permissions on screen; they take effect when saved. Saved changes can be reverted one at a time or several together. */
export const PermissionEditor = ({ account, permissions, onSaved }: EditorProps) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const [draft, setDraft] = useState<PermissionDraft>({});
  const [selected, setSelected] = useState<readonly PermissionKey[]>([]);
  const [sending, setSending] = useState(false);
  const { id: userId } = account;
  const changedKeys = permissionKeys.filter((key) => draft[key] !== undefined);
  useDraft(() => changedKeys.length > 0);
  // A change that was reverted in the meantime can no longer be reverted.
  const revertible = selected.filter((key) => permissions.changes[key] !== undefined);

  /** Work done before a failure is not undone: the permissions are shown in their resulting state. */
  const send = async (work: () => Promise<void>, successText: string): Promise<void> => {
    setSending(true);
    if (await attempt(work)) toast.success(successText);
    setSending(false);
    refetchAccounts(queries);
  };

  const save = (): Promise<void> =>
    send(async () => {
      for (const key of changedKeys) {
        const body = { actions: actionsOf(draft[key] ?? []) };
        const { data } = await call(endpoints.account.changePermission, { params: { userId, key }, body });
        onSaved(data);
        setDraft(({ [key]: _saved, ...rest }) => rest);
      }
    }, t('account.permissions.saved'));

  const revert = async (keys: readonly PermissionKey[]): Promise<void> => {
    const [first] = keys;
    if (first === undefined) return;
    const confirmed = await confirm({
      title: t('account.permissions.takeBackTitle', { count: keys.length }),
      body: t('account.permissions.takeBackText', {
        role: t(`common.roles.${permissions.role}`),
        areas: joinList(keys.map((key) => t(`account.permissions.keys.${key}`))),
      }),
      action: t('account.permissions.takeBack'),
    });
    if (!confirmed) return;
    await send(async () => {
      const { data } =
        keys.length === 1
          ? await call(endpoints.account.removePermission, { params: { userId, key: first } })
          : await call(endpoints.account.removePermissions, { body: { userId, keys: [...keys] } });
      onSaved(data);
      setSelected([]);
    }, t('account.permissions.takenBack'));
  };

  return (
    <>
      <PermissionMatrix
        changes={permissions.changes}
        editing={{
          draft,
          selected: revertible,
          disabled: sending,
          onToggle: (key, action) =>
            setDraft((current) =>
              toggled({ effective: permissions.effective, draft: current }, { key, action }),
            ),
          onSelect: (key, on) =>
            setSelected((current) => (on ? [...current, key] : current.filter((one) => one !== key))),
          onRevert: (key) => void revert([key]),
        }}
        effective={permissions.effective}
        name={nameOf(account)}
        ofRole={permissions.of_role}
      />
      <div className={styles['tools']}>
        {changedKeys.length > 0 ? (
          <span role="status">{t('account.permissions.unsaved', { count: changedKeys.length })}</span>
        ) : (
          <span className={styles['legend']}>
            <span aria-hidden="true" className={styles['dot']} />
            {t('account.permissions.legend')}
          </span>
        )}
        <div className={styles['buttons']}>
          {revertible.length > 1 ? (
            <Button disabled={sending} onClick={() => void revert(revertible)}>
              {t('account.permissions.takeBackSelected', { count: revertible.length })}
            </Button>
          ) : null}
          {changedKeys.length > 0 ? (
            <>
              <Button disabled={sending} onClick={() => setDraft({})}>
                {t('account.permissions.discard')}
              </Button>
              <Button loading={sending} onClick={() => void save()} type="primary">
                {t('account.permissions.save')}
              </Button>
            </>
          ) : null}
        </div>
      </div>
    </>
  );
};
