/** The tabs of the SMS area, in order; the first is the default. */
export const smsTabs = ['all', 'instant', 'scheduled', 'replies'] as const;
export type SmsTab = (typeof smsTabs)[number];
