export { PrivacyScreen, TermsScreen } from './legal-screen.tsx';
export { NotFoundScreen, UnauthorisedScreen } from './notice-screens.tsx';
export { ProductMark } from './product-mark.tsx';
export { PublicFrame } from './public-frame.tsx';
