export { InvitationPages } from './invitation-pages.tsx';
