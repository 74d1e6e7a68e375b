/** What the SMS area shows, in the order of its tabs; the first is its plain address. */
export const smsTabs = ['all', 'instant', 'scheduled', 'replies'] as const;
export type SmsTab = (typeof smsTabs)[number];
