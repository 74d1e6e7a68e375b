export { OrganisationBadge } from './components/organisation-badge.tsx';
export { OrganisationPanel } from './screens/organisation.panel.tsx';
export { SecurityPanel } from './screens/security.panel.tsx';
export { useSwitchOrganisation } from './use-switch-organisation.ts';
