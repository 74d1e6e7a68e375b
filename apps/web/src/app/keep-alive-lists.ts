import type { PermissionKey } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';
import type { ComponentType } from 'react';
import { rulesSearch } from '../features/autoflow/search.ts';
import { serviceSearch } from '../features/bundle/search.ts';
import { developerSearch } from '../features/developer/search.ts';
import { simSearch } from '../features/sim/search.ts';
import type { SearchScreenProps } from '../lib/search-params/fields.ts';
import { keepAliveList } from './shell/keep-alive-list.tsx';

interface ListDeclaration<P extends string, S extends object> {
  path: P;
  title: PhraseKey;
  /** Read access is enough. */
  permission: PermissionKey;
  of: { parse: (search: unknown) => S };
  load: () => Promise<ComponentType<SearchScreenProps<S>>>;
}

const declare = <const P extends string, S extends object>({ of, load, ...list }: ListDeclaration<P, S>) => ({
  ...list,
  read: of.parse,
  ...keepAliveList({ path: list.path, read: of.parse, load }),
});

export const simList = declare({
  path: 'simCard',
  title: 'sim.title',
  permission: 'sim',
  of: simSearch,
  load: async () => (await import('../features/sim/index.ts')).SimListScreen,
});

export const serviceList = declare({
  path: 'service',
  title: 'bundle.title',
  permission: 'sim',
  of: serviceSearch,
  load: async () => (await import('../features/bundle/index.ts')).ServiceScreen,
});

export const developerArea = declare({
  path: 'developerView',
  title: 'shell.menu.developer',
  permission: 'cube-developer-key',
  of: developerSearch,
  load: async () => (await import('../features/developer/index.ts')).DeveloperScreen,
});

export const ruleList = declare({
  path: 'autoflow',
  title: 'shell.menu.autoflow',
  permission: 'autoflow-cube',
  of: rulesSearch,
  load: async () => (await import('../features/autoflow/index.ts')).RulesScreen,
});

/** Pages that the shell renders and keeps, with their state, while another page is open. */
export const keepAliveLists = [simList, serviceList, ruleList, developerArea] as const;
