import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { session, useSession } from '../lib/session/index.ts';
import { useTabTitle } from '../ui/title/index.ts';
import type { IconName } from './icons.tsx';

/** A single object that the person opened; pages are in the menu. */
export interface RecentPlace {
  /** Without the language segment. */
  path: string;
  title: string;
}

/** The number of places stored for a person in an organisation, in this browser; removed with the session. */
const maxStored = 8;

const ownerOf = (userId: string | null, organisation: string | null): string =>
  `${userId ?? ''}/${organisation ?? ''}`;

/** The object that an address (without its language) shows; undefined for pages and lists. */
export const placeOf = (pathname: string, search: string): string | undefined => {
  const path = pathname.split('/').filter(Boolean);
  const parameters = new URLSearchParams(search);
  const [area, name] = path;
  if (area === 'simCard' && name !== undefined) return `simCard/${name}`;
  const task = area === 'taskcenter' ? parameters.get('task') : null;
  if (task !== null) return `taskcenter?task=${encodeURIComponent(task)}`;
  const account = area === 'userDetail' ? parameters.get('id') : null;
  if (account !== null && account !== session.get('userId'))
    return `userDetail?id=${encodeURIComponent(account)}`;
  return undefined;
};

export const iconOfPlace = ({ path }: RecentPlace): IconName => {
  if (path.startsWith('simCard')) return 'sim';
  return path.startsWith('taskcenter') ? 'task' : 'person';
};

/** The newest first, without the current place. */
export const useRecentPlaces = (): readonly RecentPlace[] => {
  const owner = ownerOf(useSession('userId'), useSession('partnerCode'));
  const all = useSession('recentPlaces');
  const currentPlace = useCurrentPlace();
  return (all?.[owner] ?? []).filter(({ path }) => path !== currentPlace);
};

const useCurrentPlace = (): string | undefined =>
  useRouterState({
    select: ({ location }) => placeOf(location.pathname.replace(/^\/[^/]+/, ''), location.searchStr),
  });

/** Records the current place under its tab title. */
export const useRememberPlaces = (): void => {
  const path = useCurrentPlace();
  const [title] = useTabTitle(undefined);
  useEffect(() => {
    const organisation = session.currentMembership();
    if (path === undefined || title === undefined || title === organisation?.name) return;
    const owner = ownerOf(session.get('userId'), session.get('partnerCode'));
    const all = session.get('recentPlaces') ?? {};
    const others = (all[owner] ?? []).filter((place) => place.path !== path);
    session.set('recentPlaces', { ...all, [owner]: [{ path, title }, ...others].slice(0, maxStored) });
  }, [path, title]);
};
