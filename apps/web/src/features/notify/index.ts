export { GroupsPanel, NewGroupButton } from './screens/groups.panel.tsx';
