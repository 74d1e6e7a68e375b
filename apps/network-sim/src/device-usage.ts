import type { SimDevice } from './demo-devices.ts';
import { type DeviceKind, deviceKinds } from './device-kinds.ts';
import { type Mobility, mobilityOf } from './mobility.ts';
import { Random, seedOf } from './random.ts';
import { dayMs } from './time.ts';
import { shareOfInterval } from './volume.ts';

/** Standard deviation of the logarithm of a device's usage relative to others of its kind. */
const HABIT_SPREAD = 0.4;
/** Probability that a device is off on a day. */
const QUIET_DAY_CHANCE = 0.03;

/** Usage and location of one device. */
export interface DeviceUsage {
  readonly kind: DeviceKind;
  readonly mobility: Mobility;
  /** Usage on a UTC day (days since 1970) as a multiple of the kind's mean day; 0 if it is off. */
  factorOn(day: number): number;
  /** Usage in a period within one UTC day as a fraction of the kind's mean day. */
  shareOf(fromMs: number, toMs: number): number;
}

/**
 * The only function that determines how much a device uses and when. The history and the live network both use it, so that
 * live traffic continues where the history ends. A pure function of device, seed and time.
 */
export function usageOf(device: Pick<SimDevice, 'imsi' | 'kind' | 'homePlmn'>, seed: number): DeviceUsage {
  const kind = deviceKinds[device.kind];
  const mobility = mobilityOf(device);
  const ownSeed = seedOf(device.imsi);
  const habit = new Random(seed, ownSeed, 1).factor(HABIT_SPREAD);
  let cached = { day: Number.NaN, factor: 0 };
  const factorOn = (day: number): number => {
    if (cached.day !== day) {
      const random = new Random(seed, ownSeed, 2, day);
      cached = { day, factor: random.chance(QUIET_DAY_CHANCE) ? 0 : habit * random.factor(kind.spread) };
    }
    return cached.factor;
  };
  return {
    kind,
    mobility,
    factorOn,
    shareOf(fromMs, toMs) {
      const factor = factorOn(Math.floor(fromMs / dayMs));
      if (factor === 0) return 0;
      const { utcOffsetHours } = mobility.at(fromMs).city;
      return factor * shareOfInterval({ kind, fromMs, toMs, utcOffsetHours });
    },
  };
}
