import type { Radio } from './world.ts';

export const deviceKindNames = ['meter', 'tracker', 'truck', 'camera', 'kiosk', 'scooter'] as const;

export type DeviceKindName = (typeof deviceKindNames)[number];

/** How far a device moves: not at all, in its city, in its country, or along the countries of its region. */
type Mobility = 'fixed' | 'city' | 'country' | 'region';

export interface DeviceKind {
  readonly name: DeviceKindName;
  /** Share of a mixed fleet; all shares add up to 1. */
  readonly share: number;
  readonly apn: string;
  /** Radios that it can use, with weights; those that the operator lacks are skipped, LTE is the fallback. */
  readonly radios: readonly (readonly [radio: Radio, weight: number])[];
  readonly mobility: Mobility;
  /** Hours between changes of location. */
  readonly moveEveryHours: number;
  readonly sessionsPerDay: number;
  readonly sessionHours: number;
  readonly dailyUpBytes: number;
  readonly dailyDownBytes: number;
  /** Standard deviation of the logarithm of a day's volume. */
  readonly spread: number;
  /** Volume of a weekend day as a fraction of a weekday's. */
  readonly weekend: number;
  /** Weight of each local hour. */
  readonly curve: readonly number[];
  /** First eight digits of its IMEIs: fictitious type codes. */
  readonly typeCode: string;
  readonly tags: readonly string[];
}

const KB = 1_024;
const MB = 1_024 * KB;

const night = [6, 6, 8, 10, 10, 8, 5, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6];
const workday = [1, 1, 1, 1, 2, 5, 9, 12, 13, 12, 11, 10, 9, 10, 12, 12, 11, 9, 6, 4, 3, 2, 1, 1];
const roundTheClock = [4, 4, 4, 4, 5, 6, 8, 9, 9, 8, 8, 8, 8, 8, 8, 9, 10, 10, 10, 9, 8, 7, 6, 5];
const shop = [1, 1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 16, 17, 15, 12, 12, 14, 17, 18, 15, 9, 4, 2, 1];
const streets = [3, 2, 1, 1, 1, 2, 5, 10, 14, 9, 7, 7, 9, 9, 7, 7, 9, 14, 17, 16, 12, 9, 7, 5];
const even = [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5];

export const deviceKinds: Readonly<Record<DeviceKindName, DeviceKind>> = {
  meter: {
    name: 'meter',
    share: 0.3,
    apn: 'meters.iot',
    radios: [
      ['NB-IoT', 9],
      ['LTE-M', 1],
    ],
    mobility: 'fixed',
    moveEveryHours: 24,
    sessionsPerDay: 4,
    sessionHours: 0.3,
    dailyUpBytes: 90 * KB,
    dailyDownBytes: 24 * KB,
    spread: 0.3,
    weekend: 1,
    curve: night,
    typeCode: '86703105',
    tags: ['meter', 'utility'],
  },
  tracker: {
    name: 'tracker',
    share: 0.22,
    apn: 'fleet.iot',
    radios: [
      ['LTE-M', 8],
      ['NB-IoT', 1],
      ['GERAN', 1],
    ],
    mobility: 'country',
    moveEveryHours: 6,
    sessionsPerDay: 3,
    sessionHours: 5,
    dailyUpBytes: 900 * KB,
    dailyDownBytes: 180 * KB,
    spread: 0.5,
    weekend: 0.5,
    curve: even,
    typeCode: '35291611',
    tags: ['tracker', 'logistics'],
  },
  truck: {
    name: 'truck',
    share: 0.18,
    apn: 'fleet.iot',
    radios: [
      ['EUTRAN', 9],
      ['GERAN', 1],
    ],
    mobility: 'region',
    moveEveryHours: 8,
    sessionsPerDay: 3,
    sessionHours: 6,
    dailyUpBytes: 34 * MB,
    dailyDownBytes: 21 * MB,
    spread: 0.5,
    weekend: 0.35,
    curve: workday,
    typeCode: '35807009',
    tags: ['truck', 'fleet'],
  },
  camera: {
    name: 'camera',
    share: 0.08,
    apn: 'video.iot',
    radios: [
      ['EUTRAN', 6],
      ['NR', 4],
    ],
    mobility: 'fixed',
    moveEveryHours: 24,
    sessionsPerDay: 1,
    sessionHours: 22,
    dailyUpBytes: 850 * MB,
    dailyDownBytes: 22 * MB,
    spread: 0.35,
    weekend: 1.1,
    curve: roundTheClock,
    typeCode: '86201204',
    tags: ['camera', 'security'],
  },
  kiosk: {
    name: 'kiosk',
    share: 0.12,
    apn: 'retail.iot',
    radios: [['EUTRAN', 1]],
    mobility: 'fixed',
    moveEveryHours: 24,
    sessionsPerDay: 2,
    sessionHours: 10,
    dailyUpBytes: 26 * MB,
    dailyDownBytes: 140 * MB,
    spread: 0.4,
    weekend: 1.4,
    curve: shop,
    typeCode: '35460812',
    tags: ['kiosk', 'retail'],
  },
  scooter: {
    name: 'scooter',
    share: 0.1,
    apn: 'mobility.iot',
    radios: [
      ['LTE-M', 7],
      ['GERAN', 3],
    ],
    mobility: 'city',
    moveEveryHours: 2,
    sessionsPerDay: 6,
    sessionHours: 2,
    dailyUpBytes: 3 * MB,
    dailyDownBytes: 1.2 * MB,
    spread: 0.6,
    weekend: 1.3,
    curve: streets,
    typeCode: '86855403',
    tags: ['scooter', 'sharing'],
  },
};
