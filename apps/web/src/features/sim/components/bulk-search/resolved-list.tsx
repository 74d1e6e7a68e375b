import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../lib/format/index.ts';
import { CopyLines } from '../../../../ui/copy-lines/index.ts';
import { DialogContent, DialogText } from '../../../../ui/dialog/index.ts';
import type { IdentifierList } from '../../identifier-lists.ts';
import styles from './bulk-search.module.css';

interface ResolvedListProps {
  list: IdentifierList;
  onShow: () => void;
  onSearchAgain: () => void;
}

/** More lines than this are of no use on screen, and would slow down the page; copying includes them all. */
const maxShownLines = 500;

/** The number of SIMs found, the number of duplicates, and the identifiers that are not SIMs of this organisation. */
export const ResolvedList = ({ list, onShow, onSearchAgain }: ResolvedListProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { iccids, notFound, duplicates } = list;
  const foundCount = iccids.length;
  const rest = notFound.length - maxShownLines;
  return (
    <DialogContent
      actions={
        <>
          <Button onClick={onSearchAgain}>{t('simList.bulkSearch.another')}</Button>
          <Button disabled={foundCount === 0} onClick={onShow} type="primary">
            {t('simList.bulkSearch.show', { count: foundCount, shown: format.count(foundCount) })}
          </Button>
        </>
      }
    >
      <ul className={styles['facts']}>
        <li>
          <b>{format.count(foundCount)}</b> {t('simList.bulkSearch.found', { count: foundCount })}
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
            {notFound.slice(0, maxShownLines).join('\n')}
            {rest > 0 ? `\n+${format.count(rest)}` : ''}
          </pre>
        </section>
      ) : null}
      <DialogText>{t('simList.bulkSearch.kept')}</DialogText>
    </DialogContent>
  );
};
