export { PrivacyScreen, TermsScreen } from './legal-screen.tsx';
export { NotFoundScreen, UnauthorisedScreen } from './notice-screens.tsx';
