import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHandler } from '../handler/index.ts';
import { Marked } from '../marked/index.ts';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import type { DataTableProps } from './data-table-props.ts';
import { foundElsewhere, type Matches } from './matches.ts';
import styles from './phone-rows.module.css';
import { RowOpened } from './row-opened.ts';
import { isSelected, nothing, select } from './selection.ts';
import { type RowOpening, useRowOpening } from './use-row-opening.ts';

const bones = Array.from({ length: 6 }, (_, index) => index);

/** The same rows on a phone: each a card with the most important columns. */
export const PhoneRows = <Row,>({
  layout,
  rows,
  rowKey,
  rowHref,
  rowActions,
  selection = nothing,
  onSelection,
  matches,
  stale,
  opened,
}: DataTableProps<Row>) => {
  const opening = useRowOpening(rowHref);
  const onSelect = useHandler((key: string, on: boolean) => onSelection?.(select(selection, [key], on)));
  if (rows === undefined)
    return bones.map((bone) => <div aria-hidden="true" className={styles['bone']} key={bone} />);
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
            opened={opened && opened.key === key}
            below={opened?.key === key ? opened.render(row) : null}
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
  onSelect: ((key: string, on: boolean) => void) | undefined;
  /** Undefined if rows do not open in place. */
  opened: boolean | undefined;
  /** The content of the opened row. */
  below: ReactNode;
  opening: RowOpening<Row>;
  rowActions: ((row: Row) => ReactNode) | undefined;
  matches: Matches<Row> | undefined;
}

const PlainPhoneRow = <Row,>(props: PhoneRowProps<Row>) => {
  const { row, rowKey, selected, onSelect, opening, rowActions } = props;
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the heading inside is a link; the rest of the card only widens its target.
    <li
      className={styles['row']}
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
const placeOnCard = <Row,>({ phone, initiallyHidden }: Column<Row>): Column<Row>['phone'] =>
  phone ?? (initiallyHidden ? 'line' : undefined);

const Body = <Row,>({ row, href, columns, matches, opened, below }: PhoneRowProps<Row>) => {
  const at = (place: Column<Row>['phone']) =>
    columns.filter((column) => placeOnCard(column) === place && column.phoneWhen?.(row) !== false);
  const elsewhere = foundElsewhere(row, { matches, columns: columns.filter(placeOnCard) });
  return (
    <div className={styles['body']}>
      <div className={styles['heading']}>
        <RowOpened value={opened}>
          {at('heading').map((column) => (
            <div key={column.id}>{column.render(row, href)}</div>
          ))}
        </RowOpened>
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
      {elsewhere ? (
        <div className={styles['line']}>
          <span className={styles['term']}>{elsewhere.label}</span>
          <div className={styles['value']}>
            <Marked at={elsewhere} text={elsewhere.text} />
          </div>
        </div>
      ) : null}
      {below ? (
        <div className={styles['below']} data-keep="true">
          {below}
        </div>
      ) : null}
    </div>
  );
};
