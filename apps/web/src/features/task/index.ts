export { useProcessingTasks } from './api/use-processing-tasks.ts';
export { useTaskNews } from './api/use-task-news.ts';
export { FollowedTasks } from './followed-tasks.tsx';
export type { ItemViews } from './item-view.ts';
