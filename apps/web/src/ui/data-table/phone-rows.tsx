import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHandler } from '../handler/index.ts';
import { Highlight } from '../highlight/index.ts';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import type { DataTableProps } from './data-table-props.ts';
import { hiddenMatch, type Matches } from './matches.ts';
import styles from './phone-rows.module.css';
import { RowExpanded } from './row-expanded.ts';
import { isSelected, noSelection, select } from './selection.ts';
import { type RowOpening, useRowOpening } from './use-row-opening.ts';

const skeletonCards = Array.from({ length: 6 }, (_, index) => index);

/** The same rows on a phone: each a card with the most important columns. */
export const PhoneRows = <Row,>({
  layout,
  rows,
  rowKey,
  rowHref,
  isFaded,
  rowActions,
  selection = noSelection,
  onSelection,
  matches,
  stale,
  expanded,
}: DataTableProps<Row>) => {
  const opening = useRowOpening(rowHref);
  const onSelect = useHandler((key: string, on: boolean) => onSelection?.(select(selection, [key], on)));
  if (rows === undefined)
    return skeletonCards.map((bone) => <div aria-hidden="true" className={styles['skeleton']} key={bone} />);
  return (
    <ul className={styles['list']} data-rows="true" aria-busy={stale}>
      {rows.map((row) => {
        const key = rowKey(row);
        return (
          <PhoneRow
            columns={layout.visible}
            href={rowHref?.(row) ?? ''}
            key={key}
            matches={matches}
            onSelect={onSelection && onSelect}
            expanded={expanded && expanded.key === key}
            faded={isFaded?.(row) ?? false}
            details={expanded?.key === key ? expanded.render(row) : null}
            opening={opening}
            row={row}
            rowActions={rowActions}
            rowKey={key}
            selected={isSelected(selection, key)}
          />
        );
      })}
    </ul>
  );
};

interface PhoneRowProps<Row> {
  row: Row;
  rowKey: string;
  href: string;
  columns: readonly Column<Row>[];
  selected: boolean;
  faded: boolean;
  onSelect: ((key: string, on: boolean) => void) | undefined;
  /** Undefined if rows do not open in place. */
  expanded: boolean | undefined;
  /** The content of the opened row. */
  details: ReactNode;
  opening: RowOpening<Row>;
  rowActions: ((row: Row) => ReactNode) | undefined;
  matches: Matches<Row> | undefined;
}

const PlainPhoneRow = <Row,>(props: PhoneRowProps<Row>) => {
  const { row, rowKey, selected, faded, onSelect, opening, rowActions } = props;
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the heading inside is a link; the rest of the card only widens its target.
    <li
      className={styles['row']}
      data-faded={faded ? 'true' : undefined}
      data-selected={selected ? 'true' : undefined}
      onClick={(event) => opening.click(event, row)}
    >
      {onSelect ? (
        <div className={styles['check']} data-keep="true">
          <Checkbox
            label={t('kit.table.selectRow', { row: rowKey })}
            onChange={(on) => onSelect(rowKey, on)}
            state={selected ? 'all' : 'none'}
          />
        </div>
      ) : null}
      <Body {...props} />
      {rowActions ? (
        <div className={styles['menu']} data-keep="true">
          {rowActions(row)}
        </div>
      ) : null}
    </li>
  );
};

// A check or news of one row re-render no others.
const PhoneRow = memo(PlainPhoneRow) as unknown as typeof PlainPhoneRow;

/** Columns that the person added to the default ones are also shown on the card. */
const positionOnCard = <Row,>({ phone, initiallyHidden }: Column<Row>): Column<Row>['phone'] =>
  phone ?? (initiallyHidden ? 'line' : undefined);

const Body = <Row,>({ row, href, columns, matches, expanded, details }: PhoneRowProps<Row>) => {
  const at = (position: Column<Row>['phone']) =>
    columns.filter((column) => positionOnCard(column) === position && column.phoneWhen?.(row) !== false);
  const match = hiddenMatch(row, { matches, columns: columns.filter(positionOnCard) });
  return (
    <div className={styles['body']}>
      <div className={styles['heading']}>
        <RowExpanded value={expanded}>
          {at('heading').map((column) => (
            <div key={column.id}>{column.render(row, href)}</div>
          ))}
        </RowExpanded>
      </div>
      <div className={styles['aside']}>
        {at('aside').map((column) => (
          <div key={column.id}>{column.render(row, href)}</div>
        ))}
      </div>
      {at('line').map((column) => (
        <div className={styles['line']} key={column.id}>
          <span className={styles['term']}>{column.title}</span>
          <div className={styles['value']}>{column.render(row, href)}</div>
        </div>
      ))}
      {match ? (
        <div className={styles['line']}>
          <span className={styles['term']}>{match.label}</span>
          <div className={styles['value']}>
            <Highlight range={match} text={match.text} />
          </div>
        </div>
      ) : null}
      {details ? (
        <div className={styles['below']} data-keep="true">
          {details}
        </div>
      ) : null}
    </div>
  );
};
