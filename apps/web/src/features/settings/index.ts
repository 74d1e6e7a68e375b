export { SettingsScreen, type SettingsScreenProps } from './screens/settings.screen.tsx';
