import { addDays, addMonths } from '../days.ts';
import { limits } from '../limits.ts';

const { publishDay, daysToPay } = limits.bills;

/** The day, `YYYY-MM-DD`, on which the bills of a month (`YYYY-MM`) are issued, unless something holds them up. */
export const issueDay = (month: string): string => addDays(`${addMonths(month, 1)}-01`, publishDay - 1);

/** The day on which a bill is due: the earlier of ten days after its issue and the end of that month (specification, section 9). */
export const dueDay = (issuedOn: string): string => {
  const tenDaysLater = addDays(issuedOn, daysToPay);
  const monthEnd = addDays(`${addMonths(issuedOn.slice(0, 7), 1)}-01`, -1);
  return tenDaysLater < monthEnd ? tenDaysLater : monthEnd;
};
