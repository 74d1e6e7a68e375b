import type { endpoints, ResponseOf } from '@simcube/contract';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Tags } from '../components/tags.tsx';
import styles from '../operations/operations.module.css';

export type ReadInfo = ResponseOf<typeof endpoints.sim.parseInfo>;

type Wrong = Pick<ReadInfo, 'errors' | 'wrong_rows'>;

/** Invalid rows, which will be left out: their number in the file and what was expected. Nothing if there are none. */
export const WrongRows = ({ errors, wrong_rows: wrong }: Wrong) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (wrong === 0) return null;
  const rest = wrong - new Set(errors.map(({ row }) => row)).size;
  return (
    <Sheet
      heads={[
        t('operations.rows.row'),
        t('operations.rows.column'),
        t('operations.rows.value'),
        t('operations.rows.problem'),
      ]}
      title={t('operations.rows.wrong', { count: wrong, shown: format.count(wrong) })}
    >
      {errors.map(({ row, column, value, message }) => (
        <tr key={`${row} ${column} ${value} ${message}`}>
          <td>{format.count(row)}</td>
          <td>{column}</td>
          <td>{value}</td>
          <td>{message}</td>
        </tr>
      ))}
      {rest > 0 ? (
        <tr>
          <td colSpan={4}>{t('operations.rows.rest', { shown: format.count(rest) })}</td>
        </tr>
      ) : null}
    </Sheet>
  );
};

/** The first rows as they will be saved. */
export const InfoRows = ({ info: { sample } }: { info: ReadInfo }) => {
  const { t } = useTranslation();
  return (
    <Sheet
      heads={[
        t('sim.columns.iccid'),
        t('sim.columns.device_name'),
        t('sim.columns.notes'),
        t('sim.columns.tags'),
      ]}
      title={t('operations.rows.sample')}
    >
      {sample.map(({ iccid, device_name: name, notes, tags }) => (
        <tr key={iccid}>
          <td className={styles['mono']}>{iccid}</td>
          <td>{name ?? '—'}</td>
          <td>{notes ?? '—'}</td>
          <td>{tags.length > 0 ? <Tags limit={tags.length} tags={tags} /> : '—'}</td>
        </tr>
      ))}
    </Sheet>
  );
};

interface SheetProps {
  title: string;
  heads: readonly string[];
  children: ReactNode;
}

const Sheet = ({ title, heads, children }: SheetProps) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['field']}>
      <span className={styles['label']} id={id}>
        {title}
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs keyboard access (WCAG 2.1.1) */}
      <div className={styles['scroll']} tabIndex={0}>
        <table aria-labelledby={id} className={styles['table']}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
};
