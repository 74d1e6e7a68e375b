export { TaskCentreScreen } from './task-centre.screen.tsx';
