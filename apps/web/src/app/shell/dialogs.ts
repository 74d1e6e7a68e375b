export { ChangePasswordDialog } from '../../features/profile/index.ts';
export { AboutDialog } from './about-dialog.tsx';
export { SessionEndedDialog } from './session-ended-dialog.tsx';
export { WelcomeDialog } from './welcome-dialog.tsx';
