import type { Lifecycle } from '@simcube/contract/sim';
import type { Tone } from './status.tsx';

/** The same tones in lists, rings and events. */
export const lifecycleTones: Record<Lifecycle, Tone> = {
  'pre-activated': 'purple',
  active: 'teal',
  paused: 'orange',
  expired: 'red',
  terminated: 'grey',
};
