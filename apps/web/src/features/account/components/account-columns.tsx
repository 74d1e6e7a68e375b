import type { Language } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { isOwn, nameOf, statusTones } from '../account-rules.ts';
import styles from './account-columns.module.css';

/** The columns of the list of accounts, in the default order. */
export const useAccountColumns = (): Column<Account>[] => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const width = widthsOf(language);
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('account.fields.name'),
        width: width.name,
        fixed: true,
        sort: 'name',
        phone: 'heading',
        render: (account, href) => (
          <span className={styles['name']}>
            <Link href={href} title={nameOf(account)}>
              <SearchHighlight text={nameOf(account)} />
            </Link>
            {isOwn(account) ? <Pill>{t('account.you')}</Pill> : null}
          </span>
        ),
      },
      {
        id: 'email',
        title: t('account.fields.email'),
        width: width.email,
        sort: 'email',
        phone: 'line',
        render: ({ email }) => (
          <span title={email}>
            <SearchHighlight text={email} />
          </span>
        ),
      },
      {
        id: 'role',
        title: t('account.fields.role'),
        width: width.role,
        sort: 'role',
        phone: 'line',
        render: ({ role }) => t(`common.roles.${role}`),
      },
      {
        id: 'status',
        title: t('account.fields.status'),
        width: width.status,
        phone: 'aside',
        render: ({ status }) => <Status tone={statusTones[status]}>{t(`account.statuses.${status}`)}</Status>,
      },
      {
        id: 'oversight',
        title: t('account.fields.oversight'),
        width: width.oversight,
        phone: 'line',
        phoneWhen: ({ oversight }) => oversight,
        render: ({ oversight }) => <Flag on={oversight} label={t('account.yes')} />,
      },
      {
        id: 'twoFactor',
        title: t('account.fields.twoFactor'),
        width: width.twoFactor,
        phone: 'line',
        phoneWhen: (account) => account.two_factor,
        render: (account) => <Flag on={account.two_factor} label={t('account.on')} />,
      },
      {
        id: 'signInCount',
        title: t('account.fields.signInCount'),
        width: width.signIns,
        align: 'end',
        sort: 'sign_in_count',
        render: (account) => count(account.sign_in_count),
      },
      {
        id: 'lastSignIn',
        title: t('account.fields.lastSignIn'),
        width: width.lastSignIn,
        sort: 'last_sign_in_at',
        phone: 'line',
        phoneWhen: (account) => account.last_sign_in_at !== null,
        render: (account) =>
          account.last_sign_in_at === null ? (
            <span className={styles['quiet']}>{t('account.never')}</span>
          ) : (
            <Time at={account.last_sign_in_at} />
          ),
      },
      {
        id: 'created',
        title: t('account.fields.created'),
        width: width.created,
        sort: 'created_at',
        render: (account) => <Time at={account.created_at} style="date" />,
      },
      {
        id: 'rights',
        title: t('account.fields.rights'),
        width: 150,
        initiallyHidden: true,
        render: (account) =>
          account.permissions_changed ? (
            t('account.changedRights')
          ) : (
            <span className={styles['quiet']}>{t('account.byRole')}</span>
          ),
      },
    ],
    [t, count, width],
  );
};

/** All columns fit into a wide window in each language: roles are long in Spanish, dates in Chinese. */
const widths = {
  latin: {
    name: 176,
    email: 196,
    role: 108,
    status: 100,
    oversight: 92,
    twoFactor: 98,
    signIns: 104,
    lastSignIn: 158,
    created: 112,
  },
  spanish: {
    name: 162,
    email: 176,
    role: 144,
    status: 92,
    oversight: 108,
    twoFactor: 94,
    signIns: 104,
    lastSignIn: 146,
    created: 108,
  },
  chinese: {
    name: 176,
    email: 190,
    role: 100,
    status: 92,
    oversight: 92,
    twoFactor: 92,
    signIns: 94,
    lastSignIn: 176,
    created: 132,
  },
} as const;

const widthsOf = (language: Language) => {
  if (language === 'es-ES') return widths.spanish;
  return language === 'en-US' ? widths.latin : widths.chinese;
};

/** Highlights a property that few accounts have; otherwise shows a dash. */
const Flag = ({ on, label }: { on: boolean; label: string }) =>
  on ? <Status tone="teal">{label}</Status> : <span className={styles['quiet']}>—</span>;
