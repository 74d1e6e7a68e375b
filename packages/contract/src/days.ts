import { dayMs } from './time.ts';

/**
 * The start of a calendar day, `YYYY-MM-DD`, at UTC.
 * @throws RangeError when the text is not a calendar day
 */
export const instantOf = (day: string): number => {
  const at = Date.parse(`${day}T00:00:00Z`);
  // The 31st of a shorter month is parsed as a day of the next month.
  if (new Date(at).getUTCDate() !== Number(day.slice(8))) throw new RangeError('Not a calendar day');
  return at;
};

/** The day `count` days after `day` (before it when negative). */
export const addDays = (day: string, count: number): string =>
  new Date(instantOf(day) + count * dayMs).toISOString().slice(0, 10);

/** The month `count` months after `month` (before it when negative). */
export const addMonths = (month: string, count: number): string => {
  const first = new Date(instantOf(`${month}-01`));
  first.setUTCMonth(first.getUTCMonth() + count);
  return first.toISOString().slice(0, 7);
};
