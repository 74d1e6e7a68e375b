import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { visuallyHidden } from '../../ui/visually-hidden/index.ts';
import { Icon, type IconName } from '../icons.tsx';
import styles from './menu-item.module.css';

interface MenuItemProps {
  icon?: IconName;
  badge?: ReactNode;
  /** The current choice of its group. */
  chosen?: boolean;
  children: ReactNode;
}

/** An item of a dropdown menu: an icon, a text, and a tick on the current choice. */
export const MenuItem = ({ icon, badge, chosen = false, children }: MenuItemProps) => {
  const { t } = useTranslation();
  return (
    <span className={styles['item']}>
      {icon ? <Icon name={icon} size={14} /> : badge}
      <span className={styles['words']}>{children}</span>
      {chosen ? (
        <>
          <Icon name="check" size={14} />
          <span className={visuallyHidden}>{t('common.chosen')}</span>
        </>
      ) : null}
    </span>
  );
};
