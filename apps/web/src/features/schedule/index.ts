export { useScheduleColumns } from './list/schedule-columns.tsx';
export { SelectByFile } from './recipients/select-by-file.tsx';
export { SelectByFilter } from './recipients/select-by-filter.tsx';
export { newScheduleHref } from './schedule-prefills.ts';
export { useLiveSchedules } from './use-schedules.ts';
export { weekTimeText } from './zones.ts';
