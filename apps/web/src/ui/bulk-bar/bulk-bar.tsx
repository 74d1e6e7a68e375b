import { LoadingOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { allMatching, noSelection, type Selection, selectedCount } from '../data-table/index.ts';
import { focusFallback, useFocusHandover } from '../focus/index.ts';
import { touch, useMedia } from '../media/index.ts';
import { useShortcut } from '../shortcuts/index.ts';
import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './bulk-bar.module.css';

export interface BulkBarProps {
  selection: Selection;
  onSelection: (selection: Selection) => void;
  /** How many rows match the filter, and whether all were counted. */
  total: number;
  relation: 'eq' | 'gte';
  /** The actions on them. */
  children?: ReactNode;
}

/**
 * Floats over a list while rows are selected: their number, a button for all that match, the actions, and a button to clear the
 * selection.
 */
export const BulkBar = ({ selection, onSelection, total, relation, children }: BulkBarProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const count = selectedCount(selection, total);
  const visible = count > 0;
  const isTouch = useMedia(touch);
  const clear = (): void => onSelection(noSelection);
  useShortcut('clearSelection', clear, visible);
  const handover = useFocusHandover(focusFallback);
  if (!visible) return null;
  const shown = (amount: number): string => {
    const text = format.count(amount);
    return relation === 'gte' ? `${text}+` : text;
  };
  return (
    <div
      aria-label={t('kit.bulk.label')}
      className={styles['bar']}
      data-floats="true"
      role="toolbar"
      {...handover}
    >
      <span aria-live="polite" className={styles['count']}>
        {t('kit.bulk.selected', {
          count,
          shown: selection.kind === 'all' ? shown(count) : format.count(count),
        })}
      </span>
      {selection.kind === 'some' && total > count ? (
        <button className={styles['all']} onClick={() => onSelection(allMatching)} type="button">
          {t('kit.bulk.selectAll', { total: shown(total) })}
        </button>
      ) : null}
      <span className={styles['actions']}>{children}</span>
      <button className={styles['clear']} onClick={clear} type="button">
        {isTouch ? (
          t('kit.bulk.clear')
        ) : (
          <>
            <span className={visuallyHidden}>{t('kit.bulk.clear')}</span>
            {t('kit.bulk.escape')}
          </>
        )}
      </button>
    </div>
  );
};

export interface BulkActionProps {
  onClick: () => void;
  disabled?: boolean;
  /** What it needs is still being read. */
  busy?: boolean;
  children: ReactNode;
}

export const BulkAction = ({ onClick, disabled = false, busy = false, children }: BulkActionProps) => (
  <button
    aria-busy={busy}
    className={styles['action']}
    disabled={disabled}
    onClick={busy ? undefined : onClick}
    type="button"
  >
    {busy ? (
      <>
        <LoadingOutlined aria-hidden="true" />{' '}
      </>
    ) : null}
    {children}
  </button>
);
