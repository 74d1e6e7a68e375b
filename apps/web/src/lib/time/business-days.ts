import { limits } from '@simcube/contract';
import { session } from '../session/index.ts';

const offset = (): number => session.get('dayOffset') ?? limits.dayOffset.usual;

/**
 * Days of the dashboard, cycles, pools and bills: the server says at sign-in where they end, 23:59 UTC+8 unless the installation was
 * made otherwise (specification, section 9).
 */
export const businessDays = {
  offsetMs: (): number => offset() * 3_600_000,
  /** The day, `YYYY-MM-DD`, in which a moment is. */
  dayOf: (moment: number): string => new Date(moment + businessDays.offsetMs()).toISOString().slice(0, 10),
  /** As people read it: `UTC+8`. */
  zone: (): string => (offset() === 0 ? 'UTC' : `UTC${offset() < 0 ? '' : '+'}${offset()}`),
  /** As `Intl` takes it; the sign is POSIX's. */
  timeZone: (): string => `Etc/GMT${offset() > 0 ? '' : '+'}${-offset()}`,
};
