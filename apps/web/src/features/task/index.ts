export { useProcessingTasks } from './api/use-processing-tasks.ts';
export { useTaskNews } from './api/use-task-news.ts';
export { TaskCentreScreen } from './task-centre.screen.tsx';
