import { endpoints } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { endSession } from '../../lib/api-client/index.ts';
import { useLive, useLiveStream } from '../../lib/live/index.ts';
import { refreshPermissions } from '../../lib/memberships/index.ts';
import { session } from '../../lib/session/index.ts';
import { usePaced } from '../../ui/pace/index.ts';

/** How many SIMs there are stands in the menu of every page: it is asked for this often at most. */
const countEveryMs = 20_000;

/** Opens the live stream for the shell, and handles the events that concern every screen. */
export const useLiveUpdates = (wanted: boolean): void => {
  const queries = useQueryClient();
  const router = useRouter();
  /** Menu and tabs follow what is stored; the guards are asked again whether this page may stay. */
  const readRightsAgain = async (): Promise<void> => {
    const before = session.get('rolesInfo');
    try {
      await refreshPermissions();
    } catch {
      // What concerns the session is handled already; for the rest the server decides at the next call.
    }
    if (session.get('rolesInfo') !== before) await router.invalidate();
  };
  // No event reports what changed while no console of the person was open.
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
  // Screens that are looked at know what changed for them; what is shown again later is asked for then.
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
