import { useTranslation } from 'react-i18next';
import { Checkbox } from './checkbox.tsx';
import type { Column } from './column.ts';
import type { DataTableProps } from './data-table-props.ts';
import styles from './phone-rows.module.css';
import { isSelected, nothing, select } from './selection.ts';
import { useRowOpening } from './use-row-opening.ts';

const bones = Array.from({ length: 6 }, (_, index) => index);

/** The same rows on a phone: a card each, with what matters most. */
export const PhoneRows = <Row,>({
  layout,
  rows,
  rowKey,
  rowHref,
  rowActions,
  selection = nothing,
  onSelection,
  stale,
}: DataTableProps<Row>) => {
  const { t } = useTranslation();
  const opening = useRowOpening(rowHref);
  const at = (place: Column<Row>['phone'], row: Row) =>
    layout.visible.filter((column) => column.phone === place && column.phoneWhen?.(row) !== false);
  if (rows === undefined)
    return bones.map((bone) => <div aria-hidden="true" className={styles['bone']} key={bone} />);
  return (
    <ul className={styles['list']} data-stale={stale ? 'true' : undefined}>
      {rows.map((row) => {
        const key = rowKey(row);
        const selected = isSelected(selection, key);
        const href = opening.hrefOf(row);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the heading inside is a link; the rest of the card only widens its target.
          <li
            className={styles['row']}
            data-selected={selected ? 'true' : undefined}
            key={key}
            onClick={(event) => opening.click(event, row)}
          >
            {onSelection ? (
              <div className={styles['check']} data-keep="true">
                <Checkbox
                  label={t('kit.table.selectRow', { row: key })}
                  onChange={(on) => onSelection(select(selection, [key], on))}
                  state={selected ? 'all' : 'none'}
                />
              </div>
            ) : null}
            <div className={styles['body']}>
              <div className={styles['heading']}>
                {at('heading', row).map((column) => (
                  <div key={column.id}>{column.render(row, href)}</div>
                ))}
              </div>
              <div className={styles['aside']}>
                {at('aside', row).map((column) => (
                  <div key={column.id}>{column.render(row, href)}</div>
                ))}
                {rowActions ? (
                  <div className={styles['menu']} data-keep="true">
                    {rowActions(row)}
                  </div>
                ) : null}
              </div>
              {at('line', row).map((column) => (
                <div className={styles['line']} key={column.id}>
                  <span className={styles['term']}>{column.title}</span>
                  <div className={styles['value']}>{column.render(row, href)}</div>
                </div>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
};
