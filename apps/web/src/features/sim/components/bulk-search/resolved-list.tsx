import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../lib/format/index.ts';
import type { IdentifierList } from '../../kept-lists.ts';
import { CopyLines } from '../copy-lines.tsx';
import styles from './bulk-search.module.css';

interface ResolvedListProps {
  list: IdentifierList;
  onShow: () => void;
  onAgain: () => void;
}

/** More lines than this are of no use on screen, and would slow down the page; copying includes them all. */
const shownLines = 500;

/** The number of SIMs found, the number of duplicates, and the identifiers that are not SIMs of this organisation. */
export const ResolvedList = ({ list, onShow, onAgain }: ResolvedListProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { iccids, notFound, duplicates } = list;
  const found = iccids.length;
  const rest = notFound.length - shownLines;
  return (
    <div className={styles['content']}>
      <ul className={styles['facts']}>
        <li>
          <b>{format.count(found)}</b> {t('simList.bulkSearch.found', { count: found })}
        </li>
        <li>
          <b>{format.count(notFound.length)}</b>{' '}
          {t('simList.bulkSearch.notFound', { count: notFound.length })}
        </li>
        <li>
          <b>{format.count(duplicates)}</b> {t('simList.bulkSearch.duplicates', { count: duplicates })}
        </li>
      </ul>
      {notFound.length > 0 ? (
        <section aria-label={t('simList.bulkSearch.missing')} className={styles['field']}>
          <div className={styles['row']}>
            <span className={styles['label']}>{t('simList.bulkSearch.missing')}</span>
            <CopyLines lines={notFound} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs keyboard access (WCAG 2.1.1) */}
          <pre className={styles['missing']} tabIndex={0}>
            {notFound.slice(0, shownLines).join('\n')}
            {rest > 0 ? `\n+${format.count(rest)}` : ''}
          </pre>
        </section>
      ) : null}
      <p className={styles['words']}>{t('simList.bulkSearch.kept')}</p>
      <footer className={styles['footer']}>
        <Button onClick={onAgain}>{t('simList.bulkSearch.another')}</Button>
        <Button disabled={found === 0} onClick={onShow} type="primary">
          {t('simList.bulkSearch.show', { count: found, shown: format.count(found) })}
        </Button>
      </footer>
    </div>
  );
};
