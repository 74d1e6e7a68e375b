import type { PermissionKey } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';
import { session } from '../lib/session/index.ts';
import { hasSharedPools } from './shared-pools.ts';

type MenuIcon =
  | 'dashboard'
  | 'heatmap'
  | 'sim'
  | 'service'
  | 'pool'
  | 'cdr'
  | 'sms'
  | 'autoflow'
  | 'developer'
  | 'finance'
  | 'report'
  | 'organisation'
  | 'task'
  | 'settings';

export interface MenuEntry {
  key: string;
  /** Without the language segment. */
  path: string;
  label: PhraseKey;
  icon: MenuIcon;
  /** Shown only to roles that have read access or all. */
  permission: PermissionKey | null;
  /** Shown only if the organisation has what the page is about. */
  isAvailable?: () => boolean;
  /** The entry's pages, the first of which has the entry's own path; an entry without any is itself a page. */
  pages?: readonly MenuEntry[];
}

export interface MenuGroup {
  key: string;
  heading: PhraseKey | null;
  entries: readonly MenuEntry[];
}

/** The main menu. An entry is added together with its screen, never earlier. */
export const menu: readonly MenuGroup[] = [
  {
    key: 'connectivity',
    heading: null,
    entries: [
      {
        key: 'dashboard',
        path: 'analysis',
        label: 'shell.menu.dashboard',
        icon: 'dashboard',
        permission: null,
        pages: [
          {
            key: 'analysis',
            path: 'analysis',
            label: 'shell.menu.analysis',
            icon: 'dashboard',
            permission: null,
          },
          { key: 'heatmap', path: 'heatmap', label: 'shell.menu.heatmap', icon: 'heatmap', permission: null },
        ],
      },
      { key: 'simCard', path: 'simCard', label: 'shell.menu.sims', icon: 'sim', permission: 'sim' },
      { key: 'service', path: 'service', label: 'shell.menu.service', icon: 'service', permission: 'sim' },
      {
        key: 'shared',
        path: 'shared',
        label: 'shell.menu.pools',
        icon: 'pool',
        permission: 'shared-pool-cube',
        isAvailable: hasSharedPools,
      },
      { key: 'cdrCard', path: 'cdrCard', label: 'shell.menu.cdrs', icon: 'cdr', permission: 'cdr' },
      {
        key: 'message',
        path: 'message',
        label: 'shell.menu.sms',
        icon: 'sms',
        permission: 'cube-schedule-sms',
      },
      {
        key: 'autoflow',
        path: 'autoflow',
        label: 'shell.menu.autoflow',
        icon: 'autoflow',
        permission: 'autoflow-cube',
      },
      {
        key: 'reports',
        path: 'reports',
        label: 'shell.menu.reports',
        icon: 'report',
        permission: 'sim-report-cube',
      },
      {
        key: 'finance',
        path: 'finance',
        label: 'shell.menu.finance',
        icon: 'finance',
        permission: 'customer-bill-cube',
      },
    ],
  },
  {
    key: 'workspace',
    heading: 'shell.menu.workspace',
    entries: [
      {
        key: 'developerView',
        path: 'developerView',
        label: 'shell.menu.developer',
        icon: 'developer',
        permission: 'cube-developer-key',
      },
      {
        key: 'taskcenter',
        path: 'taskcenter',
        label: 'shell.menu.tasks',
        icon: 'task',
        permission: null,
      },
      {
        key: 'orgs',
        path: 'orgs',
        label: 'shell.menu.organisations',
        icon: 'organisation',
        permission: null,
      },
      {
        key: 'setCard',
        path: 'setCard',
        label: 'shell.menu.settings',
        icon: 'settings',
        permission: null,
      },
    ],
  },
];

/** All pages that appear in the menu. */
export const menuPages: readonly MenuEntry[] = menu.flatMap(({ entries }) =>
  entries.flatMap((entry) => entry.pages ?? [entry]),
);

/** Pages without a menu entry, and the entry that they belong to. */
const parentEntries: Readonly<Record<string, string>> = {
  chartView: 'cdrCard',
  workFlowOperation: 'autoflow',
  trigger: 'autoflow',
  scheduleSmsDetails: 'message',
  scheduleSmsAdd: 'message',
  financeDetailsPage: 'finance',
  financeSimDetailsPage: 'finance',
  newUser: 'setCard',
  orgscreate: 'orgs',
};

/** Whether the person may open the entry's page. Without a current organisation only the organisations page can be opened. */
export const mayOpen = ({ key, permission, isAvailable }: MenuEntry): boolean =>
  (key === 'orgs' || session.currentMembership() !== null) &&
  (permission === null || session.can(permission)) &&
  (isAvailable?.() ?? true);

/** The menu page that a path (with its language segment) belongs to. */
const menuPageOf = (pathname: string) => {
  const [, first = ''] = pathname.split('/').filter(Boolean);
  return menuPages.find((entry) => entry.path === (parentEntries[first] ?? first));
};

export const menuKeyOf = (pathname: string): string | null => menuPageOf(pathname)?.key ?? null;

export const menuPathOf = (pathname: string): string | null => menuPageOf(pathname)?.path ?? null;

export const pathOfMenuKey = (key: string): string | null =>
  menuPages.find((entry) => entry.key === key)?.path ?? null;
