import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Select } from '../select/index.ts';
import { hasNext, type PageState, pageRange, pageWindow } from './page-window.ts';
import styles from './pager.module.css';

interface PagerProps {
  /** Name of the table: a page may have several. */
  tableLabel: string;
  page: PageState;
  /** Rows on this page. */
  rows: number;
  onChange: (page: Pick<PageState, 'number' | 'size'>) => void;
}

/** Which rows are shown, of how many, and links to the other pages. */
export const Pager = ({ tableLabel, page, rows, onChange }: PagerProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { number, size, total, relation, exact } = page;
  const go = (to: number): void => onChange({ number: to, size });
  const { from, to } = pageRange({ number, size, rows });
  const range = { from: format.count(from), to: format.count(to), total: format.count(exact ?? total) };
  return (
    <nav aria-label={`${t('kit.pager.label')}: ${tableLabel}`} className={styles['pager']}>
      <span aria-live="polite" className={styles['range']}>
        {relation === 'gte' && exact === undefined
          ? t('kit.pager.rangeOpen', range)
          : t('kit.pager.range', range)}
      </span>
      <div className={styles['pages']}>
        <button
          aria-label={t('kit.pager.previous')}
          className={styles['step']}
          disabled={number <= 1}
          onClick={() => go(number - 1)}
          type="button"
        >
          <LeftOutlined aria-hidden="true" />
        </button>
        {pageWindow(page).map((one) =>
          typeof one === 'number' ? (
            <button
              aria-current={one === number ? 'page' : undefined}
              aria-label={t('kit.pager.page', { page: format.count(one) })}
              className={styles['page']}
              key={one}
              onClick={() => go(one)}
              type="button"
            >
              {format.count(one)}
            </button>
          ) : (
            <span className={styles['gap']} key={one}>
              …
            </span>
          ),
        )}
        <button
          aria-label={t('kit.pager.next')}
          className={styles['step']}
          disabled={!hasNext(page, rows)}
          onClick={() => go(number + 1)}
          type="button"
        >
          <RightOutlined aria-hidden="true" />
        </button>
      </div>
      <Select
        aria-label={t('kit.pager.sizeLabel')}
        className={styles['size'] ?? ''}
        onChange={(chosen: number) => onChange({ number: 1, size: chosen })}
        options={limits.page.sizes.map((value) => ({ value, label: t('kit.pager.size', { size: value }) }))}
        popupMatchSelectWidth={false}
        size="small"
        value={size}
      />
    </nav>
  );
};
