export { OrganisationBadge } from './organisation-badge.tsx';
export { OrganisationsScreen } from './organisations-screen.tsx';
export { useSwitchOrganisation } from './use-switch-organisation.ts';
