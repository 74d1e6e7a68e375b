import { endpoints } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { ApiFailure, endSession } from '../../lib/api-client/index.ts';
import { useLive, useLiveStream } from '../../lib/live/index.ts';
import { readMemberships, refreshPermissions } from '../../lib/memberships/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { useThrottled } from '../../ui/throttle/index.ts';

/** The menu of every page shows the number of SIMs: minimum time between two requests for it. */
const countEveryMs = 20_000;

/** Opens the live stream for the shell, and handles the events that concern all screens. */
export const useLiveUpdates = (isEnabled: boolean): void => {
  const queries = useQueryClient();
  const router = useRouter();
  /** Menu and tabs follow the stored permissions; the guards check again whether this page may stay open. */
  const followSession = async (read: () => Promise<void>): Promise<void> => {
    const previous = session.get('rolesInfo');
    try {
      await read();
    } catch (error) {
      // Other errors about the session are already reported; in all other cases the server decides at the next call.
      if (error instanceof ApiFailure && error.code === 'CB-07-0008') toast.warning(error.message);
    }
    if (session.get('rolesInfo') !== previous) await router.invalidate();
  };
  const reloadPermissions = (): Promise<void> => followSession(refreshPermissions);
  /** The permissions first: their response tells a person who is no longer a member, and the list keeps what it does not contain. */
  const reloadSession = async (): Promise<void> => {
    if (isEnabled) await reloadPermissions();
    await followSession(readMemberships);
  };
  // No event reports changes made while the person had no console open. The organisations are read when the switcher opens, unless
  // the stored ones can't be read.
  const start = useEffectEvent(async (hasPermissions: boolean) => {
    if (hasPermissions) await reloadPermissions();
    if (session.currentMembership() === null) await followSession(readMemberships);
  });
  useEffect(() => {
    void start(isEnabled);
  }, [isEnabled]);
  useLiveStream(isEnabled);
  useLive('stream.reset', () => {
    void queries.invalidateQueries();
    void reloadSession();
  });
  useLive('account.changed', ({ userId }) => {
    if (userId === session.get('userId')) void reloadSession();
  });
  // Visible screens handle their own changes; data that is not on screen is only marked stale, and fetched when shown again.
  const refreshSimCount = useThrottled(() => {
    void queries.invalidateQueries({ refetchType: 'none' });
    void queries.invalidateQueries({ queryKey: [endpoints.dashboard.lifecycleCount.id] });
  }, countEveryMs);
  useLive('sim.changed', refreshSimCount);
  useLive('pool.changed', ({ pools }) => {
    const known = session.get('sharedPool') ?? [];
    if (!pools.every((id) => known.includes(id))) void reloadPermissions();
  });
  useLive('session.ended', endSession);
};
