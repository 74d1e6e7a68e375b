import { useQueryClient } from '@tanstack/react-query';
import { endSession } from '../../lib/api-client/index.ts';
import { useLive, useLiveStream } from '../../lib/live/index.ts';

/** Opens the live stream for the shell, and handles the events that concern every screen. */
export const useLiveUpdates = (wanted: boolean): void => {
  const queries = useQueryClient();
  const readAgain = (): void => void queries.invalidateQueries();
  useLiveStream(wanted);
  useLive('stream.reset', readAgain);
  useLive('sim.changed', readAgain);
  useLive('session.ended', endSession);
};
