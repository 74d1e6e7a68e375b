import { type ReportKind, reportKinds } from '@simcube/contract/report';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import { saveReports } from './api.ts';
import type { Month } from './months-card.tsx';
import styles from './reports.module.css';
import { useDownload } from './use-download.ts';

interface DownloadDialogProps {
  months: readonly Month[];
  open: boolean;
  onClose: () => void;
}

/** Reports of several months as one archive. */
export const DownloadDialog = ({ months, open, onClose }: DownloadDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} open={open} title={t('reports.several.title')}>
      <DownloadForm months={months} onClose={onClose} />
    </Dialog>
  );
};

const DownloadForm = ({ months, onClose }: Omit<DownloadDialogProps, 'open'>) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const { isBusy, run } = useDownload(onClose);
  const availableKinds = reportKinds.filter((kind) =>
    months.some((one) => one.reports.some((report) => report.kind === kind)),
  );
  const [selectedMonths, setSelectedMonths] = useState<string[]>(
    months.slice(0, 1).map(({ month }) => month),
  );
  const [kinds, setKinds] = useState<ReportKind[]>(availableKinds);
  const fileCount = months
    .filter(({ month }) => selectedMonths.includes(month))
    .flatMap(({ reports }) => reports)
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { files: reportFiles }) => sum + reportFiles.length, 0);
  return (
    <div className={styles['download']}>
      <fieldset>
        <legend>{t('reports.months')}</legend>
        <Checkbox.Group<string>
          className={styles['choices'] ?? ''}
          onChange={setSelectedMonths}
          options={months.map(({ month }) => ({ value: month, label: calendar.longMonth(month) }))}
          value={selectedMonths}
        />
      </fieldset>
      <fieldset>
        <legend>{t('shell.menu.reports')}</legend>
        <Checkbox.Group<ReportKind>
          className={styles['choices'] ?? ''}
          onChange={setKinds}
          options={availableKinds.map((kind) => ({ value: kind, label: t(`report.kinds.${kind}`) }))}
          value={kinds}
        />
      </fieldset>
      <Button
        disabled={fileCount === 0}
        loading={isBusy}
        onClick={() => run(() => saveReports(selectedMonths, kinds))}
        type="primary"
      >
        {t('reports.several.download', { count: fileCount })}
      </Button>
    </div>
  );
};
