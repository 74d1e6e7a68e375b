import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { isSelected, type Selection, select } from './selection.ts';
import type { RowOpening } from './use-row-opening.ts';

interface RowProps<Row> {
  row: Row;
  rowKey: string;
  columns: readonly Column<Row>[];
  selection: Selection;
  onSelection: ((selection: Selection) => void) | undefined;
  opening: RowOpening<Row>;
  rowActions: ((row: Row) => ReactNode) | undefined;
  filler: boolean;
  /** The one row that the Tab key reaches; arrows go on from there. */
  focusable: boolean;
}

export const TableRow = <Row,>({
  row,
  rowKey,
  columns,
  selection,
  onSelection,
  opening,
  rowActions,
  filler,
  focusable,
}: RowProps<Row>) => {
  const { t } = useTranslation();
  const selected = isSelected(selection, rowKey);
  return (
    <tr
      data-openable={opening.can ? 'true' : undefined}
      data-selected={selected ? 'true' : undefined}
      onAuxClick={(event) => opening.click(event, row)}
      onClick={(event) => opening.click(event, row)}
      tabIndex={focusable ? 0 : -1}
    >
      {onSelection ? (
        <td className={styles['check']} data-keep="true">
          <Checkbox
            label={t('kit.table.selectRow', { row: rowKey })}
            onChange={(on) => onSelection(select(selection, [rowKey], on))}
            state={selected ? 'all' : 'none'}
          />
        </td>
      ) : null}
      <Cells columns={columns} href={opening.hrefOf(row)} row={row} />
      {filler ? <td /> : null}
      {rowActions ? (
        <td className={styles['rowActions']} data-keep="true">
          {rowActions(row)}
        </td>
      ) : null}
    </tr>
  );
};

const PlainCells = <Row,>({
  row,
  href,
  columns,
}: Pick<RowProps<Row>, 'row' | 'columns'> & { href: string }) =>
  columns.map((column) => (
    <td data-align={column.align} key={column.id}>
      {column.render(row, href)}
    </td>
  ));

// Selecting, focusing or a live change of one row leaves the cells of all others as they are.
const Cells = memo(PlainCells) as unknown as typeof PlainCells;
