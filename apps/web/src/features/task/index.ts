export { useProcessingTasks } from './api/use-processing-tasks.ts';
export { useTaskNews } from './api/use-task-news.ts';
export { TaskCentreScreen, type TaskCentreScreenProps } from './task-centre.screen.tsx';
