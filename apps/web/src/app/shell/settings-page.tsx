import { useNavigate, useSearch } from '@tanstack/react-router';
import { SettingsScreen, type SettingsScreenProps } from '../../features/settings/index.ts';

/** Hands the route's search to the screen. */
export const SettingsPage = () => {
  const search = useSearch({ from: '/$lang/shell/setCard' });
  const navigate = useNavigate();
  const change: SettingsScreenProps['onSearchChange'] = (next, how = 'push') =>
    void navigate({
      from: '/$lang/setCard',
      to: '/$lang/setCard',
      search: next,
      replace: how === 'replace',
    });
  return <SettingsScreen onSearchChange={change} search={search} />;
};
