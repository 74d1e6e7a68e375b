export { CreateOrganisationScreen } from './screens/create-organisation.screen.tsx';
export { OrganisationsScreen } from './screens/organisations.screen.tsx';
