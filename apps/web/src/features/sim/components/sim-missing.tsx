import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../lib/language/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Page } from '../../../ui/page/index.ts';

/** The SIM does not exist, or now belongs to another organisation. */
export const SimMissing = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const list = `/${useLanguage()}/simCard`;
  return (
    <Page
      parent={
        <>
          <Link href={list}>{t('sim.title')}</Link> ›
        </>
      }
      title={t('sim.detail.notFound')}
    >
      <Card>
        <Empty
          action={<Link href={list}>{t('sim.detail.backToList')}</Link>}
          title={t('sim.detail.notFoundHint', { iccid })}
        />
      </Card>
    </Page>
  );
};
