import type { Connection, SimRow } from '@simcube/contract/sim';
import type { Tone } from '../../ui/status/index.ts';

export const connectionTones: Record<Connection, Tone> = {
  online: 'teal',
  connected: 'purple',
  offline: 'grey',
  unknown: 'orange',
};

export type Network = NonNullable<SimRow['network']>;

/** "4G · Vodafone DE"; the PLMN's number if the operator has no name. */
export const networkText = ({ radio, operator, country, mcc, mnc }: Network): string => {
  const name = operator ?? `${mcc}-${mnc}`;
  const suffix = country && !name.endsWith(` ${country}`) ? ` ${country}` : '';
  return [radio, `${name}${suffix}`].filter(Boolean).join(' · ');
};

export const simHref = (language: string, iccid: string): string =>
  `/${language}/simCard/${encodeURIComponent(iccid)}`;
