import { useParams, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Page } from '../../ui/page/index.ts';
import styles from './guide.module.css';
import { Blocks } from './guide-blocks.tsx';
import { guidePage, guidePages, type NamedPage, pathOfPlace } from './pages.ts';

/** The user guide: the list of its pages next to the current one. */
export const GuideScreen = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  const { page: name } = useParams({ strict: false }) as { page?: string };
  const shown = guidePage(name);
  return (
    <Page
      facts={language === 'en-US' ? null : t('guide.inEnglish')}
      name={shown?.page.title ?? t('guide.missing')}
      title={t('guide.title')}
    >
      <div className={styles['guide']}>
        <Contents shown={shown} />
        {shown ? <Article key={shown.name} shown={shown} /> : <Missing />}
      </div>
    </Page>
  );
};

const Contents = ({ shown }: { shown: NamedPage | undefined }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <nav aria-label={t('guide.contents')} className={styles['contents']}>
      <ul lang="en">
        {guidePages.map((one) => (
          <li key={one.page.title}>
            <Link
              aria-current={one === shown ? 'page' : undefined}
              href={`/${language}/${pathOfPlace(one.name)}`}
            >
              {one.page.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Article = ({ shown }: { shown: NamedPage }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const { title, lead, sections } = shown.page;
  useShownSection();
  return (
    <article className={styles['article']} lang="en">
      <h2 className={styles['title']}>{title}</h2>
      <Blocks blocks={lead} file={shown} />
      {sections.length > 1 ? (
        <nav aria-label={t('guide.onThisPage')} className={styles['sections']}>
          {sections.map(({ id, title: name }) => (
            <Link href={`/${language}/${pathOfPlace(shown.name, id)}`} key={id}>
              {name}
            </Link>
          ))}
        </nav>
      ) : null}
      {sections.map(({ id, title: name, blocks }) => (
        <section aria-labelledby={id} key={id}>
          <h3 className={styles['heading']} id={id} tabIndex={-1}>
            {name}
          </h3>
          <Blocks blocks={blocks} file={shown} />
        </section>
      ))}
    </article>
  );
};

/** Scrolls to the section in the URL, and moves the keyboard's starting point there. */
const useShownSection = (): void => {
  const router = useRouter();
  useEffect(() => {
    const show = (): void => {
      const { section } = router.state.location.search as { section?: unknown };
      const place = document.getElementById(String(section));
      place?.scrollIntoView({ block: 'start' });
      place?.focus({ preventScroll: true });
    };
    show();
    // Clicking the same link again scrolls there again.
    return router.subscribe('onResolved', show);
  }, [router]);
};

const Missing = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Card>
      <Empty
        action={<Link href={`/${language}/guide`}>{t('guide.toStart')}</Link>}
        hint={t('guide.missingHint')}
        title={t('guide.missing')}
      />
    </Card>
  );
};
