import type { SignInSession } from '@simcube/contract/identity';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Pill } from '../../../ui/card/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Ago, dateTimeWidth, Time } from '../../../ui/time/index.ts';
import { deviceOf } from './device.ts';
import styles from './sessions-panel.module.css';

/** "Chrome 143 on Windows 10", as far as known. */
export const useSessionName = (): ((session: SignInSession) => string) => {
  const { t } = useTranslation();
  return ({ user_agent: userAgent }) => {
    const { browser, system } = deviceOf(userAgent);
    if (browser !== null && system !== null) return t('identity.sessions.onSystem', { browser, system });
    return browser ?? system ?? t('identity.sessions.unknown');
  };
};

export const useSessionColumns = (): Column<SignInSession>[] => {
  const { t } = useTranslation();
  const sessionName = useSessionName();
  return useMemo(
    () => [
      {
        id: 'device',
        title: t('identity.sessions.device'),
        width: 260,
        fixed: true,
        phone: 'heading',
        render: (session) => (
          <span className={styles['device']} title={session.user_agent ?? undefined}>
            <span className={styles['name']}>{sessionName(session)}</span>
            {session.current ? <Pill dot="var(--teal)">{t('identity.sessions.current')}</Pill> : null}
          </span>
        ),
      },
      {
        id: 'address',
        title: t('identity.sessions.address'),
        width: 160,
        phone: 'line',
        render: ({ address }) =>
          address === null ? (
            t('common.states.none')
          ) : (
            <code className={styles['address']} title={address}>
              {address}
            </code>
          ),
      },
      {
        id: 'used',
        title: t('identity.sessions.used'),
        width: 120,
        phone: 'line',
        render: ({ last_used_at: at }) => <Ago at={at} />,
      },
      {
        id: 'began',
        title: t('identity.sessions.began'),
        width: dateTimeWidth,
        phone: 'line',
        render: ({ created_at: at }) => <Time at={at} />,
      },
    ],
    [t, sessionName],
  );
};
