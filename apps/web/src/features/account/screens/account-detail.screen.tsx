import type { Account } from '@simcube/contract/account';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { accountsHref, mayManage, mayWrite, nameOf, statusTones } from '../account-rules.ts';
import { useAccount, useLiveAccounts } from '../api/use-accounts.ts';
import { AccountFacts } from '../components/account-facts.tsx';
import { EditAccountDialog } from '../components/edit-account-dialog.tsx';
import { PartnersCard } from '../components/partners-card.tsx';
import { PermissionsCard } from '../components/permissions-card.tsx';
import { useAccountMenu } from '../components/use-account-menu.ts';
import styles from './account-detail.module.css';

/** Another person's account in the current organisation. */
export const AccountDetailScreen = ({ userId }: { userId: string }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data: response, error, refetch } = useAccount(userId);
  useLiveAccounts();
  const list = accountsHref(language);
  const parent = (
    <>
      <Link href={list}>{t('account.title')}</Link> ›
    </>
  );
  // The id in the URL may be malformed: the server then rejects it with CB-00-0400.
  if (error instanceof ApiFailure && (error.http === 404 || error.code === 'CB-00-0400')) {
    return (
      <Page parent={parent} title={t('account.detail.missing')}>
        <Empty
          action={<Link href={list}>{t('account.create.toAccounts')}</Link>}
          hint={t('account.detail.missingHint')}
          title={t('account.detail.missing')}
        />
      </Page>
    );
  }
  if (response) return <AccountPage account={response.data} parent={parent} />;
  return (
    <Page parent={parent} title={t('account.detail.facts')}>
      <Card>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={9} />}</Card>
    </Page>
  );
};

const AccountPage = ({ account, parent }: { account: Account; parent: ReactNode }) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const [editing, setEditing] = useState(false);
  const menuOf = useAccountMenu();
  const pending = account.status === 'pending';
  const actions = menuOf({
    account,
    onDone: (action) => {
      if (action === 'remove' || action === 'revoke') router.history.push(accountsHref(language));
    },
  });
  return (
    <Page
      actions={
        <>
          {actions.length > 0 ? (
            <ActionMenu items={actions} label={t('account.detail.more')} size="middle" />
          ) : null}
          {mayWrite() && mayManage(account) && !pending ? (
            <Button onClick={() => setEditing(true)} type="primary">
              {t('account.actions.edit')}
            </Button>
          ) : null}
        </>
      }
      facts={
        <>
          <Status tone={statusTones[account.status]}>{t(`account.statuses.${account.status}`)}</Status>
          <span>{t(`common.roles.${account.role}`)}</span>
        </>
      }
      parent={parent}
      title={nameOf(account)}
    >
      {pending ? (
        <p className={styles['note']}>{t('account.detail.pendingText', { email: account.email })}</p>
      ) : null}
      {mayWrite() && !mayManage(account) ? (
        <p className={styles['note']}>{t('account.fixed.account')}</p>
      ) : null}
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <AccountFacts account={account} />
          {pending ? null : <PartnersCard userId={account.id} />}
        </div>
        <PermissionsCard account={account} key={account.role} />
      </div>
      <EditAccountDialog account={editing ? account : undefined} onClose={() => setEditing(false)} />
    </Page>
  );
};
