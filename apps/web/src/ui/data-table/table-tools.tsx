import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { narrow, phone, useMedia } from '../media/index.ts';
import { Popover } from '../popover/index.ts';
import { Select } from '../select/index.ts';
import styles from './table-tools.module.css';
import type { TableLayout } from './use-table-layout.ts';

interface TableToolsProps<Row> {
  layout: TableLayout<Row>;
  /** The server's sort, as a phone's cards have no header to sort by. */
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
}

/** The table's column chooser, and the density switch for all tables; on narrow screens both are behind one button. */
export const TableTools = <Row,>({ layout, sort, onSort }: TableToolsProps<Row>) => {
  const { t } = useTranslation();
  const isNarrow = useMedia(narrow);
  const isPhone = useMedia(phone);
  const density = <DensitySwitch block={isNarrow} layout={layout} />;
  return (
    <div className={styles['tools']}>
      <Popover
        content={
          <div className={styles['chooser']}>
            {isPhone && onSort ? <SortSelect columns={layout.all} onSort={onSort} sort={sort} /> : null}
            <ColumnChooser layout={layout} />
            {isNarrow && !isPhone ? density : null}
          </div>
        }
        label={t('kit.table.columns')}
        placement="bottomRight"
      >
        <Button className={styles['tool'] ?? ''}>{t('kit.table.columns')}</Button>
      </Popover>
      {isNarrow ? null : density}
    </div>
  );
};

const DensitySwitch = <Row,>({ layout, block }: { layout: TableLayout<Row>; block: boolean }) => {
  const { t } = useTranslation();
  const compact = layout.density === 'compact';
  return (
    <Button
      aria-pressed={compact}
      block={block}
      className={styles['tool'] ?? ''}
      onClick={() => layout.setDensity(compact ? 'comfortable' : 'compact')}
      title={t('kit.table.density')}
    >
      {compact ? t('kit.table.compact') : t('kit.table.comfortable')}
    </Button>
  );
};

interface SortSelectProps<Row> {
  columns: TableLayout<Row>['all'];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

const SortSelect = <Row,>({ columns, sort, onSort }: SortSelectProps<Row>) => {
  const { t } = useTranslation();
  const sortOptions = columns.flatMap(({ column: { sort: name, title: column } }) =>
    name === undefined
      ? []
      : [
          { value: name, label: t('kit.table.ascending', { column }) },
          { value: `-${name}`, label: t('kit.table.descending', { column }) },
        ],
  );
  if (sortOptions.length === 0) return null;
  return (
    <Select<string>
      aria-label={t('kit.table.sort')}
      className={styles['sort'] ?? ''}
      onChange={(chosen) => onSort(chosen === '' ? undefined : chosen)}
      options={[{ value: '', label: t('kit.table.ownOrder') }, ...sortOptions]}
      value={sort ?? ''}
    />
  );
};

const ColumnChooser = <Row,>({ layout }: { layout: TableLayout<Row> }) => {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<string | undefined>();
  const drop = (target: number): void => {
    const from = layout.all.findIndex(({ column }) => column.id === dragged);
    if (dragged !== undefined && from >= 0) layout.move(dragged, target - from);
    setDragged(undefined);
  };
  return (
    <>
      <ul className={styles['columns']}>
        {layout.all.map(({ column, shown }, index) => (
          <li
            className={styles['column']}
            data-dragged={dragged === column.id ? 'true' : undefined}
            draggable
            key={column.id}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDragStart={() => setDragged(column.id)}
            onDrop={() => drop(index)}
          >
            <Checkbox
              checked={shown}
              disabled={column.fixed === true}
              onChange={(event) => layout.show(column.id, event.target.checked)}
            >
              {column.title}
            </Checkbox>
            <span className={styles['reorder']}>
              <Button
                aria-label={t('kit.table.moveUp', { column: column.title })}
                disabled={index === 0}
                icon={<ArrowUpOutlined aria-hidden="true" />}
                onClick={() => layout.move(column.id, -1)}
                size="small"
                type="text"
              />
              <Button
                aria-label={t('kit.table.moveDown', { column: column.title })}
                disabled={index === layout.all.length - 1}
                icon={<ArrowDownOutlined aria-hidden="true" />}
                onClick={() => layout.move(column.id, 1)}
                size="small"
                type="text"
              />
            </span>
          </li>
        ))}
      </ul>
      <Button block onClick={layout.reset} size="small" type="text">
        {t('kit.table.reset')}
      </Button>
    </>
  );
};
