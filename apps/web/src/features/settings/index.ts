export { SettingsScreen } from './screens/settings.screen.tsx';
