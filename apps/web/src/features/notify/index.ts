export { GroupsPanel, NewGroupButton } from './screens/groups.panel.tsx';
export type { GroupsSearch, OnGroupsSearch } from './search.ts';
