import type { Connection, DataState, SimData, SimRow } from '@simcube/contract/sim';
import type { TFunction } from 'i18next';
import type { Tone } from '../../ui/status/index.ts';

export const connectionTones: Record<Connection, Tone> = {
  online: 'teal',
  connected: 'purple',
  offline: 'grey',
  unknown: 'orange',
};

export const dataTones = {
  open: 'teal',
  slowed: 'orange',
  stopped: 'red',
} as const satisfies Record<DataState, Tone>;

export type DataRestriction = SimData['restrictions'][number];

/** "Data stopped by a rule · until Dec 1, 2026, 00:00" */
export const restrictionText = (
  { by, kbps, until }: DataRestriction,
  { t, timeOf }: { t: TFunction; timeOf: (iso: string) => string },
): string => {
  // A pool never slows data.
  const restriction =
    kbps === null || by === 'pool' ? t(`sim.data.stopped.${by}`) : t(`sim.data.slowed.${by}`, { kbps });
  return until === null ? restriction : `${restriction} · ${t('sim.data.until', { time: timeOf(until) })}`;
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
