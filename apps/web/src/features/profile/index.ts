export { ChangePasswordDialog } from './change-password-dialog.tsx';
export { PreferencesPanel } from './preferences-panel.tsx';
export { ProfileScreen } from './profile.screen.tsx';
export { ProfilePanel } from './profile-panel.tsx';
export { SessionsPanel } from './sessions/sessions-panel.tsx';
export { TwoFactorPanel } from './two-factor/two-factor-panel.tsx';
