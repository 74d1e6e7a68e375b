import { useTranslation } from 'react-i18next';
import { NotFoundScreen } from '../../features/public/screens.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Page } from '../../ui/page/index.ts';

/** The catch-all route: who is signed in keeps menu and search to go on from; anybody else sees it on its own. */
export const MissingPage = () => (session.tokenState() === 'present' ? <InShell /> : <NotFoundScreen />);

const InShell = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Page title={t('identity.notFound.title')}>
      <Card>
        <Empty
          action={<Link href={`/${language}`}>{t('identity.notFound.action')}</Link>}
          hint={t('identity.notFound.text')}
          title={t('identity.notFound.title')}
        />
      </Card>
    </Page>
  );
};
