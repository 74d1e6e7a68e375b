import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { session, useSession } from '../../../lib/session/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Tabs } from '../../../ui/tabs/index.ts';
import { AccountsPanel, NewAccountButton, SeatsLeft } from '../../account/index.ts';
import { AuditPanel, type AuditSearch, ExportAuditButton } from '../../audit/index.ts';
import { GroupsPanel, type GroupsSearch, NewGroupButton } from '../../notify/index.ts';
import { OrganisationPanel, SecurityPanel } from '../../org/index.ts';
import { PreferencesPanel, ProfilePanel, SessionsPanel, TwoFactorPanel } from '../../profile/index.ts';
import { type SettingsSearch, type SettingsTab, settingsTabs } from '../search.ts';
import styles from './settings.module.css';

export interface SettingsScreenProps {
  search: SettingsSearch;
  onSearchChange: (next: SettingsSearch, how?: 'push' | 'replace') => void;
}

/** Tabs of the organisation; the others are the person's own. */
const ofOrganisation: readonly SettingsTab[] = ['accounts', 'organisation', 'security', 'groups', 'audit'];
const lists: readonly SettingsTab[] = ['accounts', 'groups', 'audit'];

/** One's own settings, and those of the organisation for whoever may see its accounts. */
export const SettingsScreen = ({ search, onSearchChange }: SettingsScreenProps) => {
  const { t } = useTranslation();
  // Rights may change while one looks: the tabs follow.
  useSession('rolesInfo');
  const membership = session.currentMembership();
  const tabs = settingsTabs.filter((tab) => !ofOrganisation.includes(tab) || session.can('account'));
  const tab = tabs.find((one) => one === search.tab) ?? 'profile';
  return (
    <Page
      actions={<Actions onSearchChange={onSearchChange} search={search} tab={tab} />}
      facts={
        membership
          ? t('settings.facts', { name: membership.name, role: t(`common.roles.${membership.role}`) })
          : null
      }
      fill={lists.includes(tab)}
      title={t('settings.title')}
    >
      <Tabs
        fill={lists.includes(tab)}
        onChange={(name) => onSearchChange({ tab: name === 'profile' ? undefined : name }, 'push')}
        tabs={tabs.map((name) => ({ name, label: t(`settings.tabs.${name}`) }))}
        value={tab}
      >
        <Panel onSearchChange={onSearchChange} search={search} tab={tab} />
      </Tabs>
    </Page>
  );
};

const Actions = ({ tab, search, onSearchChange }: SettingsScreenProps & { tab: SettingsTab }) => {
  if (tab === 'accounts') {
    return (
      <>
        <span className={styles['seats']}>
          <SeatsLeft />
        </span>
        <NewAccountButton />
      </>
    );
  }
  if (tab === 'groups') {
    return (
      <NewGroupButton onSearchChange={(next, how) => onSearchChange({ tab, ...next }, how)} search={search} />
    );
  }
  return tab === 'audit' ? <ExportAuditButton search={search} /> : null;
};

const Panel = ({ tab, search, onSearchChange }: SettingsScreenProps & { tab: SettingsTab }) => {
  const { language } = useFormat();
  const hrefOf = useCallback(
    (of: AuditSearch) => `/${language}/setCard${stringifySearch({ tab: 'audit', ...of })}`,
    [language],
  );
  const hrefOfGroups = useCallback(
    (of: GroupsSearch) => `/${language}/setCard${stringifySearch({ tab: 'groups', ...of })}`,
    [language],
  );
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
      return (
        <AccountsPanel
          onSearchChange={(next, how) => onSearchChange({ tab, ...next }, how)}
          search={search}
        />
      );
    case 'organisation':
      return <OrganisationPanel code={search.organisation} />;
    case 'security':
      return <SecurityPanel code={search.organisation} />;
    case 'groups':
      return (
        <GroupsPanel
          hrefOf={hrefOfGroups}
          onSearchChange={(next, how) => onSearchChange({ tab, ...next }, how)}
          search={search}
        />
      );
    case 'audit':
      return (
        <AuditPanel
          hrefOf={hrefOf}
          onSearchChange={(next, how) => onSearchChange({ tab, ...next }, how)}
          search={search}
        />
      );
    case 'preferences':
      return <PreferencesPanel />;
  }
};
