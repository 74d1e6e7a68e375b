import { useTranslation } from 'react-i18next';
import { session } from '../../lib/session/index.ts';
import { shortcutKeys } from '../../ui/shortcuts/index.ts';
import { Icon } from '../icons.tsx';
import { AccountMenu } from './account-menu.tsx';
import type { ConnectionProblem } from './connection-problem.ts';
import { GuideLink } from './guide-link.tsx';
import styles from './header.module.css';
import { LanguageMenu } from './language-menu.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import { OrganisationSwitcher } from './organisation-switcher.tsx';
import { TasksLink } from './tasks-link.tsx';
import { TimeSwitch } from './time-switch.tsx';

interface HeaderProps {
  problem: ConnectionProblem | null;
  onSearch: () => void;
  onMenu: () => void;
}

export const Header = ({ problem, onSearch, onMenu }: HeaderProps) => {
  const { t } = useTranslation();
  return (
    <header className={styles['header']}>
      <button type="button" className={styles['burger']} aria-label={t('shell.menu.open')} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <button
        type="button"
        className={styles['search']}
        onClick={onSearch}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Icon name="search" size={14} />
        <span className={styles['searchText']}>{t('shell.header.search')}</span>
        <kbd className={styles['keys']}>{shortcutKeys('palette').flat().join('\u00a0')}</kbd>
      </button>
      <div className={styles['tools']}>
        <div className={styles['wide']}>
          <LiveIndicator problem={problem} />
          <TimeSwitch />
        </div>
        {session.currentMembership() ? <TasksLink /> : null}
        <OrganisationSwitcher />
        <div className={styles['wide']}>
          <LanguageMenu />
        </div>
        <GuideLink />
        <AccountMenu />
      </div>
    </header>
  );
};
