import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ProfileScreen } from '../../features/profile/index.ts';
import { useSession } from '../../lib/session/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Page } from '../../ui/page/index.ts';

const path = '/$lang/shell/userDetail';

/** One's own account is the profile. */
export const UserDetailPage = () => {
  const { t } = useTranslation();
  const { id, tab } = useSearch({ from: path });
  const own = useSession('userId');
  const navigate = useNavigate();
  const changeTab = (next: string | undefined): void =>
    void navigate({
      from: '/$lang/userDetail',
      to: '/$lang/userDetail',
      search: (before) => ({ ...before, tab: next }),
    });
  if (id === undefined || id === own) return <ProfileScreen tab={tab} onTab={changeTab} />;
  return (
    <Page title={t('identity.profile.title')}>
      <Empty title={t('errors.accountNotFound')} />
    </Page>
  );
};
