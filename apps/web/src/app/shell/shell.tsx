import { Outlet, useMatches } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClosedOrganisation } from '../../lib/closed-organisation/index.ts';
import { session, useSession } from '../../lib/session/index.ts';
import { lazyOverlay } from '../../ui/lazy-overlay/index.ts';
import { useShortcut } from '../../ui/shortcuts/index.ts';
import { SkipLink } from '../../ui/skip-link/index.ts';
import { useTitle } from '../../ui/title/index.ts';
import { LeaveGuard } from '../../ui/unsaved/index.ts';
import { rememberMenuKey } from '../guards.ts';
import { keepAliveLists } from '../keep-alive-lists.ts';
import { menuKeyOf } from '../menu.ts';
import { useRememberPlaces } from '../recent-places.ts';
import { ClosedOrganisationPage } from './closed-organisation-page.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Header } from './header.tsx';
import { Providers } from './providers.tsx';
import styles from './shell.module.css';
import { ShellDialogs } from './shell-dialogs.tsx';
import { SideMenu } from './side-menu.tsx';
import { useConnectionProblem } from './use-connection-problem.ts';
import { useLiveUpdates } from './use-live-updates.ts';
import { useLostPermissions } from './use-lost-permissions.ts';
import { useOtherTabs } from './use-other-tabs.ts';

const CommandPalette = lazyOverlay(async () => (await import('../palette/index.ts')).CommandPalette);
const MenuDrawer = lazyOverlay(async () => (await import('./menu-drawer.tsx')).MenuDrawer);

export const Shell = () => {
  const isPublic = useMatches({ select: (matches) => matches.at(-1)?.staticData.public === true });
  if (isPublic && session.tokenState() !== 'present') return <Outlet />;
  return (
    <Providers>
      <ShellDialogs>
        <Frame />
      </ShellDialogs>
    </Providers>
  );
};

const Frame = () => {
  const { t } = useTranslation();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  // Memberships and permissions change while the shell is on screen: re-render menu, header and page.
  useSession('rolesInfo');
  const partnerCode = useSession('partnerCode');
  useSession('sharedPool');
  const organisation = session.currentMembership();
  useEffect(() => {
    if (partnerCode !== null) session.rememberOrganisation(partnerCode);
  }, [partnerCode]);
  const hasOrganisation = organisation !== null;
  useTitle('organisation', organisation?.name);
  useShortcut('palette', (event) => {
    event.preventDefault();
    setPaletteOpen(true);
  });
  useRememberPlaces();
  const closed = useClosedOrganisation();
  const personal = useMatches({ select: (matches) => matches.at(-1)?.staticData.personal === true });
  // A stream that was refused is reopened when the organisation becomes accessible.
  useLiveUpdates(hasOrganisation && closed === null);
  useLostPermissions();
  useOtherTabs();
  const { problem, retry } = useConnectionProblem();
  usePageChange(main, () => setDrawerOpen(false));
  return (
    <div className={styles['frame']}>
      <SkipLink onClick={() => main.current?.focus()}>{t('shell.skipToContent')}</SkipLink>
      <SideMenu />
      <div className={styles['right']}>
        <Header problem={problem} onSearch={() => setPaletteOpen(true)} onMenu={() => setDrawerOpen(true)} />
        <ConnectionNotice onRetry={retry} problem={problem} />
        <main ref={main} className={styles['main']} tabIndex={-1} data-scroll-restoration-id="main">
          {closed === null || personal ? (
            <>
              {keepAliveLists.map(({ path, List }) => (
                <List key={path} />
              ))}
              <Outlet />
            </>
          ) : (
            <ClosedOrganisationPage reason={closed} />
          )}
        </main>
      </div>
      <MenuDrawer problem={problem} open={drawerOpen} onClose={() => setDrawerOpen(false)} />
      <CommandPalette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
      <LeaveGuard />
    </div>
  );
};

/**
 * After each change of page: stores the menu entry, closes overlays of the previous page, and moves the focus to the start of the
 * new one, where a screen reader continues. Changing the language does not count.
 */
const usePageChange = (main: RefObject<HTMLElement | null>, onChange: () => void): void => {
  const page = useMatches({ select: (matches) => matches.at(-1)?.pathname.replace(/^\/[^/]+/, '') ?? '' });
  const onPageChange = useEffectEvent(onChange);
  const previous = useRef<string | null>(null);
  useEffect(() => {
    rememberMenuKey(menuKeyOf(`/-${page}`));
    const changed = previous.current !== null && previous.current !== page;
    previous.current = page;
    if (!changed) return;
    onPageChange();
    main.current?.focus({ preventScroll: true });
  }, [page, main]);
};
