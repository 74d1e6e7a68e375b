import { isAdmin, languages } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { useSwitchOrganisation } from '../../features/org/index.ts';
import { allowedOperations, type Operation } from '../../features/sim/commands.ts';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { chooseTheme, themeChoices, useThemeChoice } from '../../lib/theme/index.ts';
import { setTimeDisplay, useTimeDisplay } from '../../lib/time/index.ts';
import type { IconName } from '../icons.tsx';
import { menuPathOf } from '../menu.ts';
import { useShellActions } from '../shell-actions.ts';
import { type PaletteItem, useGo } from './palette-items.ts';

interface Action {
  key: string;
  icon: IconName;
  label: string;
  run: () => void;
  searchOnly?: true;
  keepsOpen?: true;
}

const itemOf = ({ label, key, ...action }: Action): PaletteItem => ({
  ...action,
  key: `action-${key}`,
  label,
  searchText: label,
});

/**
 * Actions that are available everywhere, by the person's permissions.
 * @param onPick called when an operation was chosen but not yet its SIM
 */
export const useActionItems = (onPick: (operation: Operation) => void): readonly PaletteItem[] =>
  [...useSimActions(onPick), ...useOrganisationActions(), ...usePersonalActions()].map(itemOf);

const useSimActions = (onPick: (operation: Operation) => void): Action[] => {
  const { t } = useTranslation();
  const go = useGo();
  if (!session.can('sim')) return [];
  const allowed = allowedOperations();
  const openList = (start: string) => () => go(`simCard?start=${start}`);
  return [
    ...(allowed.includes('export')
      ? [
          {
            key: 'export',
            icon: 'sim',
            label: t('operations.titles.export'),
            run: openList('export'),
          } as const,
        ]
      : []),
    ...(allowed.includes('transfer')
      ? ([
          {
            key: 'updateInfo',
            icon: 'sim',
            label: t('operations.titles.updateInfo'),
            run: openList('uploadInfo'),
            searchOnly: true,
          },
          {
            key: 'transferByFile',
            icon: 'sim',
            label: t('operations.transferByFile'),
            run: openList('transferByFile'),
            searchOnly: true,
          },
        ] as const)
      : []),
    ...allowed
      .filter((name) => name !== 'export')
      .map((name) => ({
        key: `pick-${name}`,
        icon: 'bolt' as const,
        label: t('shell.palette.withSim', { action: t(`operations.titles.${name}`) }),
        searchOnly: true as const,
        keepsOpen: true as const,
        run: () => onPick(name),
      })),
  ];
};

const useOrganisationActions = (): Action[] => {
  const { t } = useTranslation();
  const go = useGo();
  const switchTo = useSwitchOrganisation(menuPathOf);
  const current = session.currentMembership();
  const others = session.memberships().filter(({ code }) => code !== current?.code);
  return [
    ...(session.can('account', 'write')
      ? ([
          { key: 'invite', icon: 'person', label: t('shell.palette.invite'), run: () => go('newUser') },
        ] as const)
      : []),
    ...(session.can('account')
      ? ([
          { key: 'audit', icon: 'lock', label: t('settings.tabs.audit'), run: () => go('setCard?tab=audit') },
        ] as const)
      : []),
    ...(current && isAdmin(current.role)
      ? ([
          {
            key: 'newOrganisation',
            icon: 'organisation',
            label: t('shell.organisations.new'),
            run: () => go('orgscreate'),
            searchOnly: true,
          },
        ] as const)
      : []),
    ...others.map((organisation) => ({
      key: `switch-${organisation.code}`,
      icon: 'organisation' as const,
      label: t('shell.organisations.switchToNamed', { name: organisation.name }),
      searchOnly: true as const,
      run: () => switchTo(organisation),
    })),
  ];
};

const usePersonalActions = (): Action[] => {
  const { t } = useTranslation();
  const go = useGo();
  const language = useLanguage();
  const theme = useThemeChoice();
  const zone = useTimeDisplay();
  const chooseLanguage = useChooseLanguage();
  const actions = useShellActions();
  const otherZone = zone === 'UTC' ? 'LOCAL' : 'UTC';
  const zoneName = t(otherZone === 'UTC' ? 'common.time.utc' : 'common.time.local');
  return [
    ...themeChoices
      .filter((choice) => choice !== theme)
      .map((choice) => ({
        key: `theme-${choice}`,
        icon: choice,
        label: t('shell.palette.themeTo', { theme: t(`common.theme.${choice}`) }),
        run: () => chooseTheme(choice),
      })),
    {
      key: 'time',
      icon: 'clock',
      label: t('shell.palette.timeTo', { zone: zoneName }),
      run: () => setTimeDisplay(otherZone),
    },
    ...languages
      .filter((one) => one !== language)
      .map((one) => ({
        key: `language-${one}`,
        icon: 'language' as const,
        label: t('shell.palette.languageTo', { language: t(`common.languages.${one}`) }),
        run: () => chooseLanguage(one),
      })),
    {
      key: 'profile',
      icon: 'person',
      label: t('identity.account.profile'),
      run: () => go(`userDetail?id=${session.get('userId') ?? ''}`),
    },
    {
      key: 'changePassword',
      icon: 'key',
      label: t('identity.account.changePassword'),
      run: () => actions?.changePassword(),
    },
    {
      key: 'shortcuts',
      icon: 'keyboard',
      label: t('kit.shortcuts.title'),
      run: () => actions?.openShortcuts(),
    },
    { key: 'about', icon: 'about', label: t('shell.account.about'), run: () => actions?.openAbout() },
    { key: 'signOut', icon: 'signOut', label: t('shell.account.signOut'), run: () => actions?.signOut() },
  ];
};
