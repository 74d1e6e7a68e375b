import { CaretDownFilled, CaretUpFilled } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { visuallyHidden } from '../visually-hidden/index.ts';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import { ColumnResizer } from './column-resizer.tsx';
import styles from './data-table.module.css';
import type { DataTableProps } from './data-table-props.ts';
import { pageState, select } from './selection.ts';
import { useHeadKeys } from './use-head-keys.ts';

type HeadProps<Row> = Pick<
  DataTableProps<Row>,
  'layout' | 'rows' | 'rowKey' | 'selection' | 'onSelection' | 'sort' | 'onSort' | 'rowActions'
> & { filler: boolean };

export const TableHead = <Row,>({
  layout,
  rows = [],
  rowKey,
  selection,
  onSelection,
  sort,
  onSort,
  rowActions,
  filler,
}: HeadProps<Row>) => {
  const { t } = useTranslation();
  const keys = rows.map(rowKey);
  const selectable = selection !== undefined && onSelection !== undefined;
  const isSortable = (column: Column<Row>): boolean => Boolean(column.sort && onSort);
  const { tabIndexOf, ...walk } = useHeadKeys([
    ...(selectable ? ['check'] : []),
    ...layout.visible.flatMap((column) => [
      ...(isSortable(column) ? [`sort-${column.id}`] : []),
      `size-${column.id}`,
    ]),
  ]);
  const identifying = layout.visible.find(({ fixed }) => fixed);
  return (
    <thead {...walk}>
      <tr>
        {selectable ? (
          <th className={styles['check']} scope="col">
            <Checkbox
              disabled={keys.length === 0}
              label={t('kit.table.selectPage')}
              onChange={(on) => onSelection(select(selection, keys, on))}
              state={pageState(selection, keys)}
              tabIndex={tabIndexOf('check')}
            />
          </th>
        ) : null}
        {layout.visible.map((column) => (
          <th
            aria-sort={sortState(column, sort)}
            data-align={column.align}
            data-column={column.id}
            data-pinned={column === identifying ? 'true' : undefined}
            key={column.id}
            scope="col"
          >
            <HeadLabel
              column={column}
              onSort={onSort}
              sort={sort}
              tabIndex={tabIndexOf(`sort-${column.id}`)}
            />
            <ColumnResizer
              column={column}
              onResize={layout.resize}
              tabIndex={tabIndexOf(`size-${column.id}`)}
            />
          </th>
        ))}
        {filler ? <td /> : null}
        {rowActions ? (
          <th className={styles['rowActions']} scope="col">
            <span className={visuallyHidden}>{t('kit.table.actions')}</span>
          </th>
        ) : null}
      </tr>
    </thead>
  );
};

const sortState = <Row,>({ sort: name }: Column<Row>, sort: string | undefined) => {
  if (!name) return undefined;
  if (sort === name) return 'ascending';
  return sort === `-${name}` ? 'descending' : 'none';
};

/** Cycles through ascending, descending and the server's default order. */
const nextSort = (name: string, sort: string | undefined): string | undefined => {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? undefined : name;
};

const HeadLabel = <Row,>({
  column,
  sort,
  onSort,
  tabIndex,
}: {
  column: Column<Row>;
  tabIndex: 0 | -1;
  sort: string | undefined;
  onSort: ((sort: string | undefined) => void) | undefined;
}) => {
  const { sort: name, title } = column;
  if (!(name && onSort)) return <span className={styles['headText']}>{title}</span>;
  return (
    <button
      className={styles['sort']}
      onClick={() => onSort(nextSort(name, sort))}
      tabIndex={tabIndex}
      type="button"
    >
      <span className={styles['headText']}>{title}</span>
      {sort === `-${name}` ? (
        <CaretDownFilled aria-hidden="true" />
      ) : (
        <CaretUpFilled aria-hidden="true" className={sort === name ? undefined : styles['unsorted']} />
      )}
    </button>
  );
};
