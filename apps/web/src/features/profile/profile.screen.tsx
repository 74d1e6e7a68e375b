import { useTranslation } from 'react-i18next';
import { useSession } from '../../lib/session/index.ts';
import { Page } from '../../ui/page/index.ts';
import { Tabs } from '../../ui/tabs/index.ts';
import { PreferencesPanel } from './preferences-panel.tsx';
import styles from './profile.module.css';
import { ProfilePanel } from './profile-panel.tsx';
import { SessionsPanel } from './sessions/sessions-panel.tsx';
import { TwoFactorPanel } from './two-factor/two-factor-panel.tsx';

const tabs = ['profile', 'security', 'preferences'] as const;

export interface ProfileScreenProps {
  /** From the URL; an unknown value means the first tab. */
  tab: string | undefined;
  onTab: (tab: string | undefined) => void;
}

/** The person's own account. Needs no organisation, so that it can be opened when one is closed. */
export const ProfileScreen = ({ tab, onTab }: ProfileScreenProps) => {
  const { t } = useTranslation();
  const name = useSession('username');
  const email = useSession('userEmail');
  const open = tabs.find((one) => one === tab) ?? 'profile';
  return (
    <Page title={name ?? t('identity.profile.title')} facts={email}>
      <Tabs
        tabs={tabs.map((one) => ({ name: one, label: t(`identity.profile.tabs.${one}`) }))}
        value={open}
        onChange={(next) => onTab(next === 'profile' ? undefined : next)}
      >
        <div className={styles['panels']}>
          {open === 'profile' ? <ProfilePanel /> : null}
          {open === 'security' ? (
            <>
              <TwoFactorPanel />
              <SessionsPanel />
            </>
          ) : null}
          {open === 'preferences' ? <PreferencesPanel /> : null}
        </div>
      </Tabs>
    </Page>
  );
};
