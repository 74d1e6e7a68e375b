import type { SimConnection } from '@simcube/contract/sim';
import { networkText } from './sim-display.ts';

/** The open session as an entry of the trace; undefined if there is none. */
export const currentSessionEntry = (
  { session }: SimConnection,
  cellText: (cell: string) => string,
): { at: string; detail: string } | undefined => {
  if (!session || session.stopped_at !== null) return undefined;
  const { network, cell, ip } = session;
  return {
    at: session.updated_at,
    detail: [
      network && networkText(network),
      network && `${network.mcc}-${network.mnc}`,
      cell && cellText(cell),
      ip,
    ]
      .filter(Boolean)
      .join(' · '),
  };
};
