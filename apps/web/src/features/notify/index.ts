export { GroupsPanel, NewGroupButton } from './screens/groups.panel.tsx';
export type { GroupsSearch } from './search.ts';
