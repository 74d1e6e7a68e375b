import { limits } from '../limits.ts';
import { dayMs } from '../time.ts';

const { publishDay, daysToPay } = limits.bills;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The last day of the month of a day or month, `YYYY-MM-DD`. */
const lastDayOf = (day: string): Date => {
  const at = new Date(day.slice(0, 7));
  at.setUTCMonth(at.getUTCMonth() + 1, 0);
  return at;
};

/** The day, `YYYY-MM-DD`, on which the bills of a month (`YYYY-MM`) are issued, unless something holds them up. */
export const issueDay = (month: string): string =>
  dayOf(new Date(lastDayOf(month).getTime() + publishDay * dayMs));

/** The day on which a bill is due: the earlier of ten days after its issue and the end of that month (specification, section 9). */
export const dueDay = (issuedOn: string): string => {
  const tenDaysLater = dayOf(new Date(Date.parse(issuedOn) + daysToPay * dayMs));
  const monthEnd = dayOf(lastDayOf(issuedOn));
  return tenDaysLater < monthEnd ? tenDaysLater : monthEnd;
};
