import { type MouseEvent, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RowFocus } from '../focus/index.ts';
import { Marked } from '../marked/index.ts';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { foundElsewhere, type Matches } from './matches.ts';
import { RowOpened } from './row-opened.ts';
import type { RowOpening } from './use-row-opening.ts';

interface RowProps<Row> {
  row: Row;
  rowKey: string;
  /** The row's link; empty if rows do not open. */
  href: string;
  columns: readonly Column<Row>[];
  selected: boolean;
  onSelect: ((key: string, on: boolean, range: boolean) => void) | undefined;
  opening: RowOpening<Row>;
  rowActions: ((row: Row) => ReactNode) | undefined;
  matches: Matches<Row> | undefined;
  filler: boolean;
  /** Its details are shown next to the table. */
  current: boolean;
  /** Undefined if rows do not open in place. */
  opened: boolean | undefined;
  /** The one row that Tab reaches; arrow keys move on from it. */
  focusable: boolean;
}

/** With Shift, browsers select the text between two clicks. */
const keepTextUnselected = (event: MouseEvent): void => {
  if (event.shiftKey) event.preventDefault();
};

const PlainRow = <Row,>({
  row,
  rowKey,
  href,
  columns,
  selected,
  onSelect,
  opening,
  rowActions,
  matches,
  filler,
  current,
  opened,
  focusable,
}: RowProps<Row>) => {
  const { t } = useTranslation();
  return (
    <RowFocus value={focusable}>
      <tr
        aria-current={current ? 'true' : undefined}
        data-open={opened ? 'true' : undefined}
        data-openable={opening.can ? 'true' : undefined}
        data-selected={selected ? 'true' : undefined}
        onAuxClick={(event) => opening.click(event, row)}
        onClick={(event) => opening.click(event, row)}
        onMouseDown={onSelect ? keepTextUnselected : undefined}
        tabIndex={focusable ? 0 : -1}
      >
        {onSelect ? (
          <td className={styles['check']} data-keep="true">
            <Checkbox
              label={t('kit.table.selectRow', { row: rowKey })}
              onChange={(on, range) => onSelect(rowKey, on, range)}
              state={selected ? 'all' : 'none'}
            />
          </td>
        ) : null}
        <RowOpened value={opened}>
          <Cells columns={columns} href={href} matches={matches} row={row} />
        </RowOpened>
        {filler ? <td /> : null}
        {rowActions ? (
          <td className={styles['rowActions']} data-keep="true">
            {rowActions(row)}
          </td>
        ) : null}
      </tr>
    </RowFocus>
  );
};

// A check, the focus or news of one row re-render no others.
export const TableRow = memo(PlainRow) as unknown as typeof PlainRow;

const PlainCells = <Row,>({
  row,
  href,
  columns,
  matches,
}: Pick<RowProps<Row>, 'row' | 'href' | 'columns' | 'matches'>) => {
  const elsewhere = foundElsewhere(row, { matches, columns });
  const known = columns.find(({ fixed }) => fixed);
  return columns.map((column) => (
    <td data-align={column.align} data-pinned={column === known ? 'true' : undefined} key={column.id}>
      {column.render(row, href)}
      {elsewhere && column === known ? (
        <div className={styles['elsewhere']} title={`${elsewhere.label}: ${elsewhere.text}`}>
          {elsewhere.label} <Marked at={elsewhere} text={elsewhere.text} />
        </div>
      ) : null}
    </td>
  ));
};

// A check does not re-render the row's own cells either.
const Cells = memo(PlainCells) as unknown as typeof PlainCells;
