import { isAdmin, limits } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OrganisationBadge, useSwitchOrganisation } from '../../features/org/index.ts';
import { attempt } from '../../lib/api-client/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { readMemberships } from '../../lib/memberships/index.ts';
import { session, useSession } from '../../lib/session/index.ts';
import { Menu, type MenuItems } from '../../ui/menu/index.ts';
import { Icon } from '../icons.tsx';
import { menuPathOf } from '../menu.ts';
import { MenuItem } from './menu-item.tsx';
import styles from './organisation-switcher.module.css';

/** The current organisation, up to ten others, *more*, and, for admins, creating a new one. */
export const OrganisationSwitcher = () => {
  const { t } = useTranslation();
  const router = useRouter();
  const language = useLanguage();
  const switchTo = useSwitchOrganisation(menuPathOf);
  useSession('rolesInfo');
  const current = session.currentMembership();
  const others = session.memberships().filter(({ code }) => code !== current?.code);
  const items: MenuItems = [
    {
      key: 'others',
      type: 'group',
      label: t(others.length > 0 ? 'shell.organisations.others' : 'shell.organisations.none'),
      children: others.slice(0, limits.switcherOrganisations).map((organisation) => ({
        key: organisation.code,
        label: (
          <MenuItem badge={<OrganisationBadge name={organisation.name} size={18} />}>
            {organisation.name}
          </MenuItem>
        ),
        onClick: () => switchTo(organisation),
      })),
    },
    { key: 'all', type: 'divider' },
    {
      key: 'more',
      label: t('shell.organisations.more'),
      onClick: () => router.history.push(`/${language}/orgs`),
    },
    ...(current && isAdmin(current.role)
      ? [
          {
            key: 'new',
            label: <MenuItem icon="add">{t('shell.organisations.new')}</MenuItem>,
            onClick: () => router.history.push(`/${language}/orgscreate`),
          },
        ]
      : []),
  ];
  const name = current?.name ?? t('shell.organisations.title');
  return (
    <Menu
      items={items}
      // Others may have added the person to organisations, or renamed them. Without a response the stored ones are shown.
      onOpen={() => void attempt(readMemberships)}
      placement="bottomRight"
      width={{ min: 220, max: 340 }}
    >
      <button
        type="button"
        className={styles['button']}
        aria-label={t('shell.header.organisation', { name })}
      >
        {current ? <OrganisationBadge name={current.name} size={18} /> : null}
        <span className={styles['name']}>{name}</span>
        <Icon name="chevron" size={12} />
      </button>
    </Menu>
  );
};
