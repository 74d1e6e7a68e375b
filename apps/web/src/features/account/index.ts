export { NewAccountButton, SeatsLeft } from './components/seats.tsx';
export { AccountDetailScreen } from './screens/account-detail.screen.tsx';
export { AccountsPanel } from './screens/accounts.panel.tsx';
export { NewAccountScreen } from './screens/new-account.screen.tsx';
