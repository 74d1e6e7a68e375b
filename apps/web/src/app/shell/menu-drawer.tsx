import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { version } from '../version.ts';
import type { ConnectionProblem } from './connection-problem.ts';
import { HelpBox } from './help-box.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import styles from './menu-drawer.module.css';
import { MenuList } from './menu-list.tsx';
import { OrganisationLogo } from './organisation-logo.tsx';
import { TimeSwitch } from './time-switch.tsx';

interface MenuDrawerProps {
  problem: ConnectionProblem | null;
  open: boolean;
  onClose: () => void;
}

/** The menu on narrow screens, with the switches that do not fit into the header there. */
export const MenuDrawer = ({ problem, open, onClose }: MenuDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      // Also for a link to the current page, which changes nothing else.
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a')) onClose();
      }}
      placement="left"
      size={272}
      closable={false}
      title={null}
      aria-label={t('shell.menu.label')}
      styles={{ body: { padding: 0, display: 'flex', flexDirection: 'column' } }}
    >
      <OrganisationLogo />
      <div className={styles['list']}>
        <MenuList />
      </div>
      <div className={styles['switches']}>
        <TimeSwitch />
        <LanguageMenu />
      </div>
      <HelpBox />
      <footer className={styles['footer']}>
        <span>{t('shell.menu.footer', { version })}</span>
        <LiveIndicator problem={problem} />
      </footer>
    </Drawer>
  );
};
