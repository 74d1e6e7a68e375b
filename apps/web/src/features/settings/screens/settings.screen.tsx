import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/chunks/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { session, useSession } from '../../../lib/session/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Tabs } from '../../../ui/tabs/index.ts';
import { AccountsPanel, NewAccountButton, SeatsLeft } from '../../account/index.ts';
import { AuditPanel, ExportAuditButton } from '../../audit/index.ts';
import { GroupsPanel, NewGroupButton } from '../../notify/index.ts';
import { OrganisationPanel, SecurityPanel } from '../../org/index.ts';
import { PreferencesPanel, ProfilePanel, SessionsPanel, TwoFactorPanel } from '../../profile/index.ts';
import { type SettingsSearch, type SettingsTab, settingsTabs } from '../search.ts';
import styles from './settings.module.css';

const ServicesPanel = lazyPart(async () => (await import('../../sms/index.ts')).ServicesPanel);

export type SettingsScreenProps = SearchScreenProps<SettingsSearch>;

/** Tabs of the organisation; the others are personal. */
const organisationTabs: readonly SettingsTab[] = [
  'accounts',
  'organisation',
  'security',
  'groups',
  'sms',
  'audit',
];
/** Tabs that may show another organisation: switching between them stays with it. */
const otherOrganisationTabs: readonly SettingsTab[] = ['organisation', 'security'];
const listTabs: readonly SettingsTab[] = ['accounts', 'groups', 'sms', 'audit'];

const isShown = (tab: SettingsTab): boolean => {
  if (tab === 'sms' && !session.can('cube-schedule-sms')) return false;
  return !organisationTabs.includes(tab) || session.can('account');
};

/** Personal settings, and those of the organisation for people who may see its accounts. */
export const SettingsScreen = (address: SettingsScreenProps) => {
  const { search, onSearchChange } = address;
  const { t } = useTranslation();
  // Permissions may change while the page is open: re-render the tabs.
  useSession('rolesInfo');
  const membership = session.currentMembership();
  const tabs = settingsTabs.filter(isShown);
  const tab = tabs.find((one) => one === search.tab) ?? 'profile';
  return (
    <Page
      actions={<Actions {...address} tab={tab} />}
      facts={
        membership
          ? t('settings.facts', { name: membership.name, role: t(`common.roles.${membership.role}`) })
          : null
      }
      fill={listTabs.includes(tab)}
      title={t('settings.title')}
    >
      <Tabs
        fill={listTabs.includes(tab)}
        onChange={(name) =>
          onSearchChange(
            {
              tab: name === 'profile' ? undefined : name,
              organisation: otherOrganisationTabs.includes(name) ? search.organisation : undefined,
            },
            'push',
          )
        }
        tabs={tabs.map((name) => ({ name, label: t(`settings.tabs.${name}`) }))}
        value={tab}
      >
        <Panel {...address} tab={tab} />
      </Tabs>
    </Page>
  );
};

const Actions = ({ tab, ...address }: SettingsScreenProps & { tab: SettingsTab }) => {
  switch (tab) {
    case 'accounts':
      return (
        <>
          <span className={styles['seats']}>
            <SeatsLeft />
          </span>
          <NewAccountButton />
        </>
      );
    case 'groups':
      return <NewGroupButton {...address} />;
    case 'audit':
      return <ExportAuditButton search={address.search} />;
    default:
      return null;
  }
};

const Panel = ({ tab, ...address }: SettingsScreenProps & { tab: SettingsTab }) => {
  switch (tab) {
    case 'profile':
      return (
        <div className={styles['panels']}>
          <ProfilePanel />
          <TwoFactorPanel />
          <SessionsPanel />
        </div>
      );
    case 'accounts':
      return <AccountsPanel {...address} />;
    case 'organisation':
      return <OrganisationPanel code={address.search.organisation} />;
    case 'security':
      return <SecurityPanel code={address.search.organisation} />;
    case 'groups':
      return <GroupsPanel {...address} />;
    case 'sms':
      return (
        <Suspense fallback={null}>
          <ServicesPanel {...address} />
        </Suspense>
      );
    case 'audit':
      return <AuditPanel {...address} />;
    case 'preferences':
      return <PreferencesPanel />;
  }
};
