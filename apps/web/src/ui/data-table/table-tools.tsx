import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '../popover/index.ts';
import styles from './table-tools.module.css';
import type { TableLayout } from './use-table-layout.ts';

/** Column chooser of one table, and the density switch of all. */
export const TableTools = <Row,>({ layout }: { layout: TableLayout<Row> }) => {
  const { t } = useTranslation();
  const compact = layout.density === 'compact';
  return (
    <div className={styles['tools']}>
      <Popover
        content={<ColumnChooser layout={layout} />}
        label={t('kit.table.columns')}
        placement="bottomRight"
      >
        <Button className={styles['tool'] ?? ''}>{t('kit.table.columns')}</Button>
      </Popover>
      <Button
        aria-pressed={compact}
        className={styles['tool'] ?? ''}
        onClick={() => layout.setDensity(compact ? 'comfortable' : 'compact')}
        title={t('kit.table.density')}
      >
        {compact ? t('kit.table.compact') : t('kit.table.comfortable')}
      </Button>
    </div>
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
    <div className={styles['chooser']}>
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
            <span className={styles['moves']}>
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
    </div>
  );
};
