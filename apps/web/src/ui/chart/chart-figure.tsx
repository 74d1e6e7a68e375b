import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './chart.module.css';
import { ChartTable, type ChartTableProps } from './chart-table.tsx';

interface ChartFigureProps extends Pick<ChartTableProps, 'columns' | 'rows' | 'hrefOf'> {
  label: string;
  height: number;
  /** The drawing. */
  children: ReactNode;
}

/**
 * A drawing and the same data as a table: always present for screen readers, and shown instead of the drawing on request, by
 * keyboard or touch.
 */
export const ChartFigure = ({ label, height, children, ...table }: ChartFigureProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure aria-label={label} className={styles['figure']}>
      <button
        aria-controls={id}
        aria-expanded={asTable}
        className={styles['toggle']}
        onClick={() => setAsTable(!asTable)}
        type="button"
      >
        {t(asTable ? 'kit.chart.asChart' : 'kit.chart.asTable')}
      </button>
      {asTable ? null : children}
      <ChartTable caption={label} height={asTable ? height : undefined} id={id} {...table} />
    </figure>
  );
};
