export { ChangePasswordDialog } from '../../features/profile/index.ts';
export { ShortcutsDialog } from '../../ui/shortcuts/shortcuts-dialog.tsx';
export { AboutDialog } from './about-dialog.tsx';
export { SessionEndedDialog } from './session-ended-dialog.tsx';
export { WelcomeDialog } from './welcome-dialog.tsx';
