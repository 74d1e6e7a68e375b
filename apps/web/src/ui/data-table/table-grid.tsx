import { type CSSProperties, Fragment, useRef } from 'react';
import { useFocusHandover } from '../focus/index.ts';
import styles from './data-table.module.css';
import type { DataTableProps } from './data-table-props.ts';
import { isSelected, noSelection } from './selection.ts';
import { SkeletonRows } from './skeleton-rows.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { rowsIn, useRowKeys } from './use-row-keys.ts';
import { useRowOpening } from './use-row-opening.ts';
import { useRowSelection } from './use-row-selection.ts';

const checkboxWidth = 42;
const actionsWidth = 38;

/** The table itself, on screens wider than a phone. It scrolls inside its card, below its header. */
export const TableGrid = <Row,>(props: DataTableProps<Row>) => {
  const {
    layout,
    rows,
    rowKey,
    rowHref,
    selection = noSelection,
    onSelection,
    label,
    rowActions,
    stale,
    expanded,
  } = props;
  const table = useRef<HTMLTableElement>(null);
  const selectable = props.selection !== undefined && onSelection !== undefined;
  const rowKeys = rows?.map(rowKey) ?? [];
  const { setSelected, extend } = useRowSelection({ keys: rowKeys, selection, onSelection });
  const opening = useRowOpening(
    rowHref,
    selectable ? (row: Row) => setSelected(rowKey(row), true, true) : undefined,
  );
  const keys = useRowKeys({
    table,
    open: (index, newTab) => {
      const row = rows?.[index];
      if (row) opening.open(row, newTab);
    },
    toggle: (index, range) => {
      const key = rowKeys[index];
      if (selectable && key !== undefined) setSelected(key, range || !isSelected(selection, key), range);
    },
    extend: (from, to) => {
      const [start, end] = [rowKeys[from], rowKeys[to]];
      if (selectable && start !== undefined && end !== undefined) extend(start, end);
    },
  });
  const current = Math.min(keys.current, rowKeys.length - 1);
  // The focused row may disappear: it no longer matches, or another page is shown.
  const handover = useFocusHandover(() => rowsIn(table.current)[current]);
  const widths = layout.visible.map((column) => layout.widths[column.id] ?? column.width);
  const extra = (selectable ? checkboxWidth : 0) + (rowActions ? actionsWidth : 0);
  // Once the person has set a width, all columns keep theirs and the rest of the line stays empty.
  const filler = Object.keys(layout.widths).length > 0;
  const width = widths.reduce((sum, one) => sum + one, extra);
  const cells = widths.length + Number(selectable) + Number(filler) + Number(Boolean(rowActions));
  return (
    <section
      aria-label={label}
      className={styles['scroll']}
      // Otherwise the router would restore its place in another list that takes the same place in the document.
      data-scroll-restoration-id={`table-${layout.name}`}
    >
      <table
        aria-label={label}
        className={styles['table']}
        data-density={layout.density}
        aria-busy={stale}
        onBlur={handover.onBlur}
        onFocus={(event) => {
          handover.onFocus();
          keys.onFocus(event);
        }}
        onKeyDown={keys.onKeyDown}
        ref={table}
        style={{ minWidth: width, '--check-width': `${selectable ? checkboxWidth : 0}px` } as CSSProperties}
      >
        <colgroup>
          {selectable ? <col style={{ width: checkboxWidth }} /> : null}
          {layout.visible.map((column, index) => (
            <col key={column.id} style={{ width: widths[index] }} />
          ))}
          {filler ? <col /> : null}
          {rowActions ? <col style={{ width: actionsWidth }} /> : null}
        </colgroup>
        <TableHead {...props} filler={filler} />
        <tbody>
          {rows === undefined ? (
            <SkeletonRows
              columns={layout.visible}
              count={props.skeletonRows}
              filler={filler}
              leading={selectable}
              trailing={Boolean(rowActions)}
            />
          ) : (
            rows.map((row, index) => {
              const key = rowKey(row);
              return (
                <Fragment key={key}>
                  <TableRow
                    columns={layout.visible}
                    current={props.current === key}
                    faded={props.isFaded?.(row) ?? false}
                    filler={filler}
                    focusable={index === current}
                    href={rowHref?.(row) ?? ''}
                    matches={props.matches}
                    onSelect={selectable ? setSelected : undefined}
                    expanded={expanded && expanded.key === key}
                    opening={opening}
                    row={row}
                    rowActions={rowActions}
                    rowKey={key}
                    selected={selectable && isSelected(selection, key)}
                  />
                  {expanded?.key === key ? (
                    <tr className={styles['opened']} data-below="true">
                      <td colSpan={cells}>
                        <div>{expanded.render(row)}</div>
                      </td>
                    </tr>
                  ) : null}
                </Fragment>
              );
            })
          )}
        </tbody>
      </table>
    </section>
  );
};
