import { startTransition, useDeferredValue, useOptimistic } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../failure/index.ts';
import { phone, useMedia } from '../media/index.ts';
import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './data-table.module.css';
import type { DataTableProps } from './data-table-props.ts';
import { Pager } from './pager.tsx';
import { PhoneRows } from './phone-rows.tsx';
import { noSelection, type Selection } from './selection.ts';
import { TableGrid } from './table-grid.tsx';

/**
 * The table of every list: server-side paging and sorting, a sticky header, columns as the person arranged them, rows that open
 * like links, a selection that can mean "all that match", and loading, empty and failed states.
 */
export const DataTable = <Row,>(given: DataTableProps<Row>) => {
  const { t } = useTranslation();
  const small = useMedia(phone);
  const props = { ...given, ...useOptimisticSelection(given), rows: useDeferredRows(given.rows) };
  const { rows, error, onRetry, empty, page, onPage } = props;
  const failed = error !== undefined && error !== null;
  if (failed && !rows) {
    return (
      <div className={styles['card']}>
        <Failure error={error} onRetry={onRetry} />
      </div>
    );
  }
  return (
    <div aria-busy={rows === undefined} className={styles['card']}>
      {failed ? <Failure error={error} onRetry={onRetry} small /> : null}
      {rows?.length === 0 ? empty : small ? <PhoneRows {...props} /> : <TableGrid {...props} />}
      {rows === undefined ? <span className={visuallyHidden}>{t('common.states.loading')}</span> : null}
      {rows?.length ? (
        <Pager tableLabel={props.label} onChange={onPage} page={page} rows={rows.length} />
      ) : null}
    </div>
  );
};

/** The first page is rendered in slices, so that the browser stays responsive; later ones immediately. */
const useDeferredRows = <Row,>(rows: readonly Row[] | undefined): readonly Row[] | undefined => {
  const deferred = useDeferredValue(rows);
  return deferred && rows;
};

/** A check is drawn before the screen around the table re-renders, which is expensive. */
const useOptimisticSelection = ({
  selection,
  onSelection,
}: Pick<DataTableProps<unknown>, 'selection' | 'onSelection'>) => {
  const [shown, setShown] = useOptimistic(selection ?? noSelection);
  if (!selection || !onSelection) return {};
  return {
    selection: shown,
    onSelection: (next: Selection): void =>
      startTransition(() => {
        setShown(next);
        onSelection(next);
      }),
  };
};
