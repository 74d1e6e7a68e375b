export { OrganisationBadge } from './components/organisation-badge.tsx';
export { CreateOrganisationScreen } from './screens/create-organisation.screen.tsx';
export { OrganisationPanel } from './screens/organisation.panel.tsx';
export { OrganisationsScreen } from './screens/organisations.screen.tsx';
export { SecurityPanel } from './screens/security.panel.tsx';
export { useSwitchOrganisation } from './use-switch-organisation.ts';
