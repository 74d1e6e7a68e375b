import type { SimConnection } from '@simcube/contract/sim';
import { networkText } from './sim-words.ts';

/** The open session as an entry of the trace; undefined if there is none. */
export const sessionMoment = (
  { session }: SimConnection,
  sayCell: (cell: string) => string,
): { at: string; detail: string } | undefined => {
  if (!session || session.stopped_at !== null) return undefined;
  const { network, cell, ip } = session;
  return {
    at: session.updated_at,
    detail: [
      network && networkText(network),
      network && `${network.mcc}-${network.mnc}`,
      cell && sayCell(cell),
      ip,
    ]
      .filter(Boolean)
      .join(' · '),
  };
};
