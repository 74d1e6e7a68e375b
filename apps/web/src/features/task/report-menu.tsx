import { fileFormats, type Task } from '@simcube/contract/task';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../ui/action-menu/index.ts';
import { saveReport } from './api/use-task.ts';

/** In a task's row: its report, by item in any format, or the file that was requested. */
export const ReportMenu = ({ task: { reference_id: reference, report } }: { task: Task }) => {
  const { t } = useTranslation();
  if (report === null) return null;
  const items =
    report.bytes === null
      ? fileFormats.map((format) => ({
          key: format,
          label: t('task.drawer.downloadAs', { format: t(`kit.export.${format}`) }),
          onClick: () => void saveReport(reference, format),
        }))
      : [{ key: 'file', label: t('task.drawer.download'), onClick: () => void saveReport(reference) }];
  return <ActionMenu items={items} label={t('task.drawer.menu', { reference })} />;
};
