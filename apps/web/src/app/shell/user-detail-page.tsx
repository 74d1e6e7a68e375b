import { useNavigate, useSearch } from '@tanstack/react-router';
import { AccountDetailScreen } from '../../features/account/index.ts';
import { ProfileScreen } from '../../features/profile/index.ts';
import { useSession } from '../../lib/session/index.ts';

const path = '/$lang/shell/userDetail';

/** One's own account opens the profile; any other is a separate page, which keeps no state of the previous one. */
export const UserDetailPage = () => {
  const { id, tab } = useSearch({ from: path });
  const own = useSession('userId');
  // Permissions may change while the page is open: re-render the account's actions.
  useSession('rolesInfo');
  const navigate = useNavigate();
  const changeTab = (next: string | undefined): void =>
    void navigate({
      from: '/$lang/userDetail',
      to: '/$lang/userDetail',
      search: (before) => ({ ...before, tab: next }),
    });
  if (id === undefined || id === own) return <ProfileScreen tab={tab} onTab={changeTab} />;
  return <AccountDetailScreen key={id} userId={id} />;
};
