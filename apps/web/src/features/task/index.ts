export { useProcessingTasks } from './api/use-processing-tasks.ts';
export { useTaskUpdates } from './api/use-task-updates.ts';
export { FollowedTasks } from './followed-tasks.tsx';
export type { ItemViews } from './item-view.ts';
export { taskName } from './task-name.ts';
