import { NewScheduleScreen, ScheduleScreen } from './schedule.screen.tsx';
import { newScheduleSearch, scheduleSearch } from './search.ts';

export const schedulePage = { screen: ScheduleScreen, read: scheduleSearch.parse };
export const newSchedulePage = { screen: NewScheduleScreen, read: newScheduleSearch.parse };
