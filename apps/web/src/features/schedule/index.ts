export { newScheduleHref } from './begun-schedules.ts';
export { useScheduleColumns } from './list/schedule-columns.tsx';
export { ByFile } from './recipients/by-file.tsx';
export { ByFilter } from './recipients/by-filter.tsx';
export { useLiveSchedules } from './use-schedules.ts';
export { weekTimeWords } from './zones.ts';
