import { useTranslation } from 'react-i18next';
import { NotFoundScreen } from '../../features/public/screens.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Page } from '../../ui/page/index.ts';

/** The catch-all route: people who are signed in see it inside the shell, with menu and search; others see it alone. */
export const MissingPage = () => (session.tokenState() === 'present' ? <InShell /> : <NotFoundScreen />);

const InShell = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Page title={t('identity.notFound.title')}>
      <Card>
        <Empty
          action={<Link href={`/${language}`}>{t('identity.notFound.action')}</Link>}
          title={t('identity.notFound.text')}
        />
      </Card>
    </Page>
  );
};
