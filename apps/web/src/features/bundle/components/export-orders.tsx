import { endpoints } from '@simcube/contract';
import type { FileFormat } from '@simcube/contract/task';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { followTask } from '../../../lib/followed-tasks/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { type ServiceSearch, serviceFilterOf } from '../search.ts';

/** Exports all matching orders: a task creates the file, and shows when it is ready. */
export const ExportOrders = ({ search, none }: { search: ServiceSearch; none: boolean }) => {
  const { t } = useTranslation();
  const zone = useTimeDisplay();
  const client = useQueryClient();
  const begin = async (format: FileFormat): Promise<void> => {
    const filter = serviceFilterOf(search, zone);
    const { data } = await call(endpoints.bundle.exportList, { body: { filter, format } });
    followTask(data);
    void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
  };
  return <ExportMenu disabled={none} onExport={begin} subject={t('bundle.export.what')} />;
};
