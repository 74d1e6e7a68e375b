import { useNavigate, useSearch } from '@tanstack/react-router';
import { AccountDetailScreen } from '../../features/account/index.ts';
import { ProfileScreen } from '../../features/profile/index.ts';
import { useSession } from '../../lib/session/index.ts';

const path = '/$lang/shell/userDetail';

/** One's own account is the profile; another one is another page, with nothing left of the one before. */
export const UserDetailPage = () => {
  const { id, tab } = useSearch({ from: path });
  const own = useSession('userId');
  // Rights may change while one looks: what the account's page offers follows.
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
