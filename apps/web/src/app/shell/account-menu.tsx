import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { session, useSession } from '../../lib/session/index.ts';
import { chooseTheme, themeChoices, useThemeChoice } from '../../lib/theme/index.ts';
import { Menu, type MenuItems } from '../../ui/menu/index.ts';
import { visuallyHidden } from '../../ui/visually-hidden/index.ts';
import { useShellActions } from '../shell-actions.ts';
import styles from './account-menu.module.css';
import { MenuItem } from './menu-item.tsx';

export const AccountMenu = () => {
  const { t } = useTranslation();
  const router = useRouter();
  const language = useLanguage();
  const theme = useThemeChoice();
  const actions = useShellActions();
  const name = useSession('username') ?? '';
  const items: MenuItems = [
    { key: 'who', type: 'group', label: <Who name={name} /> },
    { key: 'before-own', type: 'divider' },
    {
      key: 'profile',
      label: <MenuItem icon="person">{t('identity.account.profile')}</MenuItem>,
      onClick: () => router.history.push(`/${language}/userDetail?id=${session.get('userId') ?? ''}`),
    },
    {
      key: 'organisations',
      label: <MenuItem icon="organisation">{t('shell.account.myOrganisations')}</MenuItem>,
      onClick: () => router.history.push(`/${language}/orgs`),
    },
    {
      key: 'changePassword',
      label: <MenuItem icon="key">{t('identity.account.changePassword')}</MenuItem>,
      onClick: () => actions?.changePassword(),
    },
    {
      key: 'shortcuts',
      label: <MenuItem icon="keyboard">{t('kit.shortcuts.title')}</MenuItem>,
      onClick: () => actions?.openShortcuts(),
    },
    {
      key: 'about',
      label: <MenuItem icon="about">{t('shell.account.about')}</MenuItem>,
      onClick: () => actions?.openAbout(),
    },
    { key: 'before-looks', type: 'divider' },
    {
      key: 'theme',
      type: 'group',
      label: t('shell.account.theme'),
      children: themeChoices.map((choice) => ({
        key: `theme-${choice}`,
        label: (
          <MenuItem icon={choice} chosen={choice === theme}>
            {t(`common.theme.${choice}`)}
          </MenuItem>
        ),
        onClick: () => chooseTheme(choice),
      })),
    },
    { key: 'before-end', type: 'divider' },
    {
      key: 'signOut',
      label: <MenuItem icon="signOut">{t('shell.account.signOut')}</MenuItem>,
      onClick: () => actions?.signOut(),
    },
  ];
  return (
    <Menu items={items} placement="bottomRight" width={{ min: 220 }}>
      <button type="button" className={styles['avatar']}>
        {initialsOf(name)}
        <span className={visuallyHidden}>{t('shell.header.account', { name })}</span>
      </button>
    </Menu>
  );
};

const Who = ({ name }: { name: string }) => {
  const { t } = useTranslation();
  const email = useSession('userEmail');
  const role = session.currentMembership()?.role;
  return (
    <span className={styles['who']}>
      <strong>{name}</strong>
      <span>{email}</span>
      {role ? <span>{t(`common.roles.${role}`)}</span> : null}
    </span>
  );
};

/** "Ana María López" → AL; "王小明" → 王. */
const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
};
