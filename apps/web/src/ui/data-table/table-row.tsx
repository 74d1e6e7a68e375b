import { type MouseEvent, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RowFocus } from '../focus/index.ts';
import { Highlight } from '../highlight/index.ts';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { hiddenMatch, type Matches } from './matches.ts';
import { RowExpanded } from './row-expanded.ts';
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
  faded: boolean;
  /** Its details are shown next to the table. */
  current: boolean;
  /** Undefined if rows do not open in place. */
  expanded: boolean | undefined;
  /** The one row that Tab reaches; arrow keys move on from it. */
  focusable: boolean;
}

/** With Shift, browsers select the text between two clicks. */
const preventTextSelection = (event: MouseEvent): void => {
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
  faded,
  current,
  expanded,
  focusable,
}: RowProps<Row>) => {
  const { t } = useTranslation();
  return (
    <RowFocus value={focusable}>
      <tr
        aria-current={current ? 'true' : undefined}
        data-faded={faded ? 'true' : undefined}
        data-open={expanded ? 'true' : undefined}
        data-openable={opening.isEnabled ? 'true' : undefined}
        data-selected={selected ? 'true' : undefined}
        onAuxClick={(event) => opening.click(event, row)}
        onClick={(event) => opening.click(event, row)}
        onMouseDown={onSelect ? preventTextSelection : undefined}
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
        <RowExpanded value={expanded}>
          <Cells columns={columns} href={href} matches={matches} row={row} />
        </RowExpanded>
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
  const match = hiddenMatch(row, { matches, columns });
  const identifying = columns.find(({ fixed }) => fixed);
  return columns.map((column) => (
    <td data-align={column.align} data-pinned={column === identifying ? 'true' : undefined} key={column.id}>
      {column.render(row, href)}
      {match && column === identifying ? (
        <div className={styles['elsewhere']} title={`${match.label}: ${match.text}`}>
          {match.label} <Highlight range={match} text={match.text} />
        </div>
      ) : null}
    </td>
  ));
};

// A check does not re-render the row's own cells either.
const Cells = memo(PlainCells) as unknown as typeof PlainCells;
