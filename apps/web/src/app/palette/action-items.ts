import { isAdmin, languages } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { useSwitchOrganisation } from '../../features/org/index.ts';
import { allowedOperations, type Operation } from '../../features/sim/commands.ts';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { chooseTheme, themeChoices, useThemeChoice } from '../../lib/theme/index.ts';
import { setTimeDisplay, useTimeDisplay } from '../../lib/time/index.ts';
import type { IconName } from '../icons.tsx';
import { useShellActions } from '../shell-actions.ts';
import { type PaletteItem, useGo } from './palette-items.ts';

interface Action {
  key: string;
  icon: IconName;
  words: string;
  run: () => void;
  quiet?: true;
  stay?: true;
}

const itemOf = ({ words, key, ...action }: Action): PaletteItem => ({
  ...action,
  key: `action-${key}`,
  label: words,
  words,
});

/**
 * Actions that are available everywhere, by the person's permissions.
 * @param onPick called when an operation was chosen but not yet its SIM
 */
export const useActionItems = (onPick: (operation: Operation) => void): readonly PaletteItem[] =>
  [...useSimActions(onPick), ...useOrganisationActions(), ...useOwnActions()].map(itemOf);

const useSimActions = (onPick: (operation: Operation) => void): Action[] => {
  const { t } = useTranslation();
  const go = useGo();
  if (!session.can('sim')) return [];
  const allowed = allowedOperations();
  const inList = (start: string) => () => go(`simCard?start=${start}`);
  return [
    ...(allowed.includes('export')
      ? [{ key: 'export', icon: 'sim', words: t('operations.titles.export'), run: inList('export') } as const]
      : []),
    ...(allowed.includes('transfer')
      ? ([
          {
            key: 'updateInfo',
            icon: 'sim',
            words: t('operations.titles.updateInfo'),
            run: inList('uploadInfo'),
            quiet: true,
          },
          {
            key: 'transferByFile',
            icon: 'sim',
            words: t('operations.transferByFile'),
            run: inList('transferByFile'),
            quiet: true,
          },
        ] as const)
      : []),
    ...allowed
      .filter((name) => name !== 'export')
      .map((name) => ({
        key: `pick-${name}`,
        icon: 'bolt' as const,
        words: t('shell.palette.withSim', { action: t(`operations.titles.${name}`) }),
        quiet: true as const,
        stay: true as const,
        run: () => onPick(name),
      })),
  ];
};

const useOrganisationActions = (): Action[] => {
  const { t } = useTranslation();
  const go = useGo();
  const switchTo = useSwitchOrganisation();
  const current = session.currentMembership();
  const others = session.memberships().filter(({ code }) => code !== current?.code);
  return [
    ...(session.can('account', 'write')
      ? ([
          { key: 'invite', icon: 'person', words: t('shell.palette.invite'), run: () => go('newUser') },
        ] as const)
      : []),
    ...(session.can('account')
      ? ([
          { key: 'audit', icon: 'lock', words: t('settings.tabs.audit'), run: () => go('setCard?tab=audit') },
        ] as const)
      : []),
    ...(current && isAdmin(current.role)
      ? ([
          {
            key: 'newOrganisation',
            icon: 'organisation',
            words: t('shell.organisations.new'),
            run: () => go('orgscreate'),
            quiet: true,
          },
        ] as const)
      : []),
    ...others.map((organisation) => ({
      key: `switch-${organisation.code}`,
      icon: 'organisation' as const,
      words: t('shell.organisations.switchToNamed', { name: organisation.name }),
      quiet: true as const,
      run: () => switchTo(organisation),
    })),
  ];
};

const useOwnActions = (): Action[] => {
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
        words: t('shell.palette.themeTo', { theme: t(`common.theme.${choice}`) }),
        run: () => chooseTheme(choice),
      })),
    {
      key: 'time',
      icon: 'clock',
      words: t('shell.palette.timeTo', { zone: zoneName }),
      run: () => setTimeDisplay(otherZone),
    },
    ...languages
      .filter((one) => one !== language)
      .map((one) => ({
        key: `language-${one}`,
        icon: 'language' as const,
        words: t('shell.palette.languageTo', { language: t(`common.languages.${one}`) }),
        run: () => chooseLanguage(one),
      })),
    {
      key: 'profile',
      icon: 'person',
      words: t('identity.account.profile'),
      run: () => go(`userDetail?id=${session.get('userId') ?? ''}`),
    },
    {
      key: 'changePassword',
      icon: 'key',
      words: t('identity.account.changePassword'),
      run: () => actions?.changePassword(),
    },
    {
      key: 'shortcuts',
      icon: 'keyboard',
      words: t('kit.shortcuts.title'),
      run: () => actions?.openShortcuts(),
    },
    { key: 'about', icon: 'about', words: t('shell.account.about'), run: () => actions?.openAbout() },
    { key: 'signOut', icon: 'signOut', words: t('shell.account.signOut'), run: () => actions?.signOut() },
  ];
};
