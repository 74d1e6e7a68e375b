import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import styles from './menu-item.module.css';

type MenuItemProps = { children: ReactNode } & ({ icon: IconName } | { badge: ReactNode });

/** A line of a dropdown menu: a small picture and words. */
export const MenuItem = ({ children, ...picture }: MenuItemProps) => (
  <span className={styles['item']}>
    {'icon' in picture ? <Icon name={picture.icon} size={14} /> : picture.badge}
    <span className={styles['words']}>{children}</span>
  </span>
);
