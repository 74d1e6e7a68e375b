import { limits } from '@simcube/contract';
import { dayMs, hourMs } from '@simcube/contract/time';
import { session } from '../session/index.ts';

const offset = (): number => session.get('dayOffset') ?? limits.dayOffset.usual;

/**
 * Days of the dashboard, cycles, pools and bills. The server sends their offset at sign-in; they end at 23:59 UTC+8 unless the
 * installation was made with another offset (specification, section 9).
 */
export const businessDays = {
  offsetMs: (): number => offset() * hourMs,
  /** The day, `YYYY-MM-DD`, that a moment falls in. */
  dayOf: (moment: number): string => new Date(moment + businessDays.offsetMs()).toISOString().slice(0, 10),
  /** The moment at which a day, `YYYY-MM-DD`, ends. */
  endOf: (day: string): number => Date.parse(day) + dayMs - businessDays.offsetMs(),
  /** For display: `UTC+8`. */
  zone: (): string => (offset() === 0 ? 'UTC' : `UTC${offset() < 0 ? '' : '+'}${offset()}`),
  /** For `Intl`; the sign follows POSIX. */
  timeZone: (): string => `Etc/GMT${offset() > 0 ? '' : '+'}${-offset()}`,
};
