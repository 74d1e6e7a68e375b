import { type ReportKind, reportKinds } from '@simcube/contract/report';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import { saveSeveral } from './api.ts';
import type { Month } from './months-card.tsx';
import styles from './reports.module.css';
import { useDownload } from './use-download.ts';

interface SeveralProps {
  months: readonly Month[];
  open: boolean;
  onClose: () => void;
}

/** Reports of several months as one archive. */
export const SeveralDialog = ({ months, open, onClose }: SeveralProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} open={open} title={t('reports.several.title')}>
      <Choice months={months} onClose={onClose} />
    </Dialog>
  );
};

const Choice = ({ months, onClose }: Omit<SeveralProps, 'open'>) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const { isBusy, run } = useDownload();
  const made = reportKinds.filter((kind) => months.some((one) => one.reports.some((it) => it.kind === kind)));
  const [chosen, setChosen] = useState<string[]>(months.slice(0, 1).map(({ month }) => month));
  const [kinds, setKinds] = useState<ReportKind[]>(made);
  const files = months
    .filter(({ month }) => chosen.includes(month))
    .flatMap(({ reports }) => reports)
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { files: ofReport }) => sum + ofReport.length, 0);
  return (
    <div className={styles['several']}>
      <fieldset>
        <legend>{t('reports.months')}</legend>
        <Checkbox.Group<string>
          className={styles['choices'] ?? ''}
          onChange={setChosen}
          options={months.map(({ month }) => ({ value: month, label: calendar.longMonth(month) }))}
          value={chosen}
        />
      </fieldset>
      <fieldset>
        <legend>{t('shell.menu.reports')}</legend>
        <Checkbox.Group<ReportKind>
          className={styles['choices'] ?? ''}
          onChange={setKinds}
          options={made.map((kind) => ({ value: kind, label: t(`report.kinds.${kind}`) }))}
          value={kinds}
        />
      </fieldset>
      <Button
        disabled={files === 0}
        loading={isBusy}
        onClick={() =>
          run(async () => {
            await saveSeveral(chosen, kinds);
            onClose();
          })
        }
        type="primary"
      >
        {t('reports.several.download', { count: files })}
      </Button>
    </div>
  );
};
