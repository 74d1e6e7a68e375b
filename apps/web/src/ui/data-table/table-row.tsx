import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import type { RowOpening } from './use-row-opening.ts';

interface RowProps<Row> {
  row: Row;
  rowKey: string;
  /** Where it leads; empty where rows do not open. */
  href: string;
  columns: readonly Column<Row>[];
  selected: boolean;
  onSelect: ((key: string, on: boolean) => void) | undefined;
  opening: RowOpening<Row>;
  rowActions: ((row: Row) => ReactNode) | undefined;
  filler: boolean;
  /** The one row that the Tab key reaches; arrows go on from there. */
  focusable: boolean;
}

const PlainRow = <Row,>({
  row,
  rowKey,
  href,
  columns,
  selected,
  onSelect,
  opening,
  rowActions,
  filler,
  focusable,
}: RowProps<Row>) => {
  const { t } = useTranslation();
  return (
    <tr
      data-openable={opening.can ? 'true' : undefined}
      data-selected={selected ? 'true' : undefined}
      onAuxClick={(event) => opening.click(event, row)}
      onClick={(event) => opening.click(event, row)}
      tabIndex={focusable ? 0 : -1}
    >
      {onSelect ? (
        <td className={styles['check']} data-keep="true">
          <Checkbox
            label={t('kit.table.selectRow', { row: rowKey })}
            onChange={(on) => onSelect(rowKey, on)}
            state={selected ? 'all' : 'none'}
          />
        </td>
      ) : null}
      <Cells columns={columns} href={href} row={row} />
      {filler ? <td /> : null}
      {rowActions ? (
        <td className={styles['rowActions']} data-keep="true">
          {rowActions(row)}
        </td>
      ) : null}
    </tr>
  );
};

// A check, the focus or news of one row leave all others as they are.
export const TableRow = memo(PlainRow) as unknown as typeof PlainRow;

const PlainCells = <Row,>({ row, href, columns }: Pick<RowProps<Row>, 'row' | 'href' | 'columns'>) =>
  columns.map((column) => (
    <td data-align={column.align} key={column.id}>
      {column.render(row, href)}
    </td>
  ));

// Nor do a row's own cells change with its check.
const Cells = memo(PlainCells) as unknown as typeof PlainCells;
