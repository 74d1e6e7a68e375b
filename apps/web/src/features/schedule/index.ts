export { useScheduleColumns } from './list/schedule-columns.tsx';
export { RecipientFields, RecipientMethods } from './recipients/recipient-fields.tsx';
export { useRecipients } from './recipients/use-recipients.ts';
export { newScheduleHref } from './schedule-prefills.ts';
export { useLiveSchedules } from './use-schedules.ts';
export { weekTimeText } from './zones.ts';
