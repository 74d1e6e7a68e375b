import { endpoints } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { endSession } from '../../lib/api-client/index.ts';
import { useLive, useLiveStream } from '../../lib/live/index.ts';
import { refreshPermissions } from '../../lib/memberships/index.ts';
import { session } from '../../lib/session/index.ts';
import { usePaced } from '../../ui/pace/index.ts';

/** The menu of every page shows the number of SIMs: minimum time between two requests for it. */
const countEveryMs = 20_000;

/** Opens the live stream for the shell, and handles the events that concern all screens. */
export const useLiveUpdates = (wanted: boolean): void => {
  const queries = useQueryClient();
  const router = useRouter();
  /** Menu and tabs follow the stored permissions; the guards check again whether this page may stay open. */
  const readRightsAgain = async (): Promise<void> => {
    const before = session.get('rolesInfo');
    try {
      await refreshPermissions();
    } catch {
      // Errors about the session are already handled; in other cases the server decides at the next call.
    }
    if (session.get('rolesInfo') !== before) await router.invalidate();
  };
  // No event reports changes made while the person had no console open.
  const start = useEffectEvent(readRightsAgain);
  useEffect(() => {
    if (wanted) void start();
  }, [wanted]);
  useLiveStream(wanted);
  useLive('stream.reset', () => {
    void queries.invalidateQueries();
    void readRightsAgain();
  });
  useLive('account.changed', ({ userId }) => {
    if (userId === session.get('userId')) void readRightsAgain();
  });
  // Visible screens handle their own changes; data that is not on screen is only marked stale, and fetched when shown again.
  const countSims = usePaced(() => {
    void queries.invalidateQueries({ refetchType: 'none' });
    void queries.invalidateQueries({ queryKey: [endpoints.dashboard.lifecycleCount.id] });
  }, countEveryMs);
  useLive('sim.changed', countSims);
  useLive('pool.changed', ({ pools }) => {
    const known = session.get('sharedPool') ?? [];
    if (!pools.every((id) => known.includes(id))) void readRightsAgain();
  });
  useLive('session.ended', endSession);
};
