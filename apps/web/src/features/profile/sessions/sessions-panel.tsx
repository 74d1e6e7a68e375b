import { LogoutOutlined } from '@ant-design/icons';
import { endpoints, limits } from '@simcube/contract';
import type { SignInSession } from '@simcube/contract/identity';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { type PagesSearch, pagesSearch } from '../../../lib/search-params/list-search.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { ListTable, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { useSessionColumns, useSessionName } from './session-columns.tsx';
import styles from './sessions-panel.module.css';

const { listSessions, revokeSession } = endpoints.identity;

/** The person's sessions everywhere, which can be ended here. */
export const SessionsPanel = () => {
  const { t } = useTranslation();
  const [search, onSearchChange] = useState<PagesSearch>({ size: limits.page.sizes[0] });
  const list = useList({
    name: 'sessions',
    of: pagesSearch,
    address: { search, onSearchChange },
    query: usePageQuery(search, (page) => endpointQuery(listSessions, { query: page })),
    columns: useSessionColumns(),
  });
  const { revoke, revokeOthers } = useRevokeSessions();
  const total = list.count?.total ?? 0;
  return (
    <div className={styles['panel']}>
      <header className={styles['header']}>
        <div>
          <h2 className={styles['title']}>{t('identity.sessions.title')}</h2>
          <p className={styles['text']}>{t('identity.sessions.text')}</p>
        </div>
        <Button danger disabled={total < 2} onClick={() => void revokeOthers(total - 1)}>
          {t('identity.sessions.revokeOthers')}
        </Button>
      </header>
      <ListTable
        empty={{ small: true, title: t('identity.sessions.empty') }}
        label={t('identity.sessions.title')}
        list={list}
        rowActions={(row) => (row.current ? null : <Revoke onRevoke={revoke} session={row} />)}
        rowKey={({ id }) => id}
      />
    </div>
  );
};

interface RevokeProps {
  session: SignInSession;
  onRevoke: (session: SignInSession, device: string) => Promise<void>;
}

const Revoke = ({ session, onRevoke }: RevokeProps) => {
  const { t } = useTranslation();
  const device = useSessionName()(session);
  return (
    <Button
      aria-label={t('identity.sessions.revokeNamed', { device })}
      icon={<LogoutOutlined aria-hidden="true" />}
      onClick={() => void onRevoke(session, device)}
      size="small"
      title={t('identity.sessions.revoke')}
      type="text"
    />
  );
};

/** Both ask for confirmation with a description; the API client shows failures as toasts. */
const useRevokeSessions = () => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const queries = useQueryClient();
  const revokeById = async (sessionId: string, message: string): Promise<void> => {
    if (await attempt(() => call(revokeSession, { params: { sessionId } }))) toast.success(message);
    // In any case: the session may have expired.
    await queries.invalidateQueries({ queryKey: [listSessions.id] });
  };
  return {
    revoke: async ({ id }: SignInSession, device: string): Promise<void> => {
      const confirmed = await confirm({
        title: t('identity.sessions.revokeTitle'),
        body: t('identity.sessions.revokeText', { device }),
        action: t('identity.sessions.revoke'),
        danger: true,
      });
      if (confirmed) await revokeById(id, t('identity.sessions.revoked'));
    },
    revokeOthers: async (count: number): Promise<void> => {
      const confirmed = await confirm({
        title: t('identity.sessions.revokeOthersTitle'),
        body: t('identity.sessions.revokeOthersText', { count }),
        action: t('identity.sessions.revokeOthers'),
        danger: true,
      });
      if (confirmed) await revokeById('others', t('identity.sessions.revokedOthers'));
    },
  };
};
