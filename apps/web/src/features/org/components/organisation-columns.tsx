import type { Organisation } from '@simcube/contract/org';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { useTabIndex } from '../../../ui/focus/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { dateWidth, Time } from '../../../ui/time/index.ts';
import { useCurrentCode } from '../org-context.ts';
import { useSwitchOrganisation } from '../use-switch-organisation.ts';
import { OrganisationBadge } from './organisation-badge.tsx';
import styles from './organisation-columns.module.css';

/** The columns of the person's organisations, which are also used to look up the names of parents by code. */
export const useOrganisationColumns = (organisations: readonly Organisation[]): Column<Organisation>[] => {
  const { t } = useTranslation();
  const { country } = useFormat();
  const current = useCurrentCode();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('org.fields.listName'),
        width: 290,
        fixed: true,
        phone: 'heading',
        render: ({ name, default: isDefault }) => (
          <span className={styles['name']}>
            <OrganisationBadge name={name} size={22} />
            <strong title={name}>
              <SearchHighlight text={name} />
            </strong>
            {isDefault ? <Pill>{t('shell.organisations.default')}</Pill> : null}
          </span>
        ),
      },
      {
        id: 'switch',
        title: '',
        width: 116,
        fixed: true,
        phone: 'aside',
        render: (organisation) =>
          organisation.code === current ? (
            <Pill dot="var(--teal)">{t('shell.organisations.current')}</Pill>
          ) : (
            <SwitchButton organisation={organisation} />
          ),
      },
      {
        id: 'code',
        title: t('org.fields.code'),
        width: 160,
        phone: 'line',
        render: ({ code }) => (
          <span className={styles['code']} title={code}>
            <SearchHighlight text={code} />
          </span>
        ),
      },
      {
        id: 'role',
        title: t('org.fields.role'),
        width: 146,
        phone: 'line',
        render: ({ role }) => t(`common.roles.${role}`),
      },
      {
        id: 'country',
        title: t('org.fields.country'),
        width: 130,
        phone: 'line',
        render: ({ country: code }) => <span title={country(code)}>{country(code)}</span>,
      },
      {
        id: 'parent',
        title: t('org.fields.parent'),
        width: 150,
        phone: 'line',
        phoneWhen: ({ parent_code: parent }) => parent !== null,
        render: ({ parent_code: parent }) => {
          if (parent === null) return <span className={styles['muted']}>—</span>;
          const name = organisationName(parent, organisations);
          return <span title={parent}>{name}</span>;
        },
      },
      {
        id: 'created',
        title: t('org.fields.created'),
        width: dateWidth,
        phone: 'line',
        render: ({ created_at: at }) => <Time at={at} style="date" />,
      },
    ],
    [t, country, current, organisations],
  );
};

/** May return only the code: members of an organisation need not be members of its parent. */
const organisationName = (code: string, organisations: readonly Organisation[]): string =>
  [...organisations, ...session.memberships()].find((one) => one.code === code)?.name ?? code;

const SwitchButton = ({ organisation }: { organisation: Organisation }) => {
  const { t } = useTranslation();
  const switchTo = useSwitchOrganisation();
  const tabIndex = useTabIndex();
  return (
    <Button
      aria-label={t('shell.organisations.switchToNamed', { name: organisation.name })}
      onClick={() => switchTo(organisation)}
      size="small"
      tabIndex={tabIndex}
    >
      {t('shell.organisations.switchTo')}
    </Button>
  );
};
