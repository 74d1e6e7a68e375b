import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { session, useSession } from '../../lib/session/index.ts';
import { Icon } from '../icons.tsx';
import { version } from '../version.ts';
import { HelpBox } from './help-box.tsx';
import { MenuList } from './menu-list.tsx';
import { OrganisationLogo } from './organisation-logo.tsx';
import styles from './side-menu.module.css';

/** The left menu on wide screens; its state is stored in the browser. */
export const SideMenu = () => {
  const { t } = useTranslation();
  const state = useSession('menuState');
  const collapsed = state?.collapsed ?? false;
  const toggleLabel = t(collapsed ? 'shell.menu.expand' : 'shell.menu.collapse');
  const toggle = (): void =>
    session.set('menuState', { lastMenuKey: state?.lastMenuKey ?? null, collapsed: !collapsed });
  return (
    <aside className={styles['side']} data-collapsed={collapsed}>
      <OrganisationLogo small={collapsed} />
      <div className={styles['scroll']}>
        <MenuList collapsed={collapsed} />
      </div>
      <HelpBox small={collapsed} />
      <footer className={styles['footer']}>
        {collapsed ? null : <span>{t('shell.menu.footer', { version })}</span>}
        <Tooltip title={toggleLabel} placement="right">
          <button
            type="button"
            className={styles['toggle']}
            aria-label={toggleLabel}
            aria-expanded={!collapsed}
            onClick={toggle}
          >
            <Icon name={collapsed ? 'expand' : 'collapse'} />
          </button>
        </Tooltip>
      </footer>
    </aside>
  );
};
