import { endpoints } from '@simcube/contract';
import type { FileFormat } from '@simcube/contract/task';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { type ServiceSearch, serviceFilterOf } from '../search.ts';

/** All that match as a file: a task makes it, and tells when it is there. */
export const ExportOrders = ({ search, none }: { search: ServiceSearch; none: boolean }) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const zone = useTimeDisplay();
  const client = useQueryClient();
  const begin = async (format: FileFormat): Promise<void> => {
    const filter = serviceFilterOf(search, zone);
    const { data } = await call(endpoints.bundle.exportList, { body: { filter, format } });
    const { reference_id: reference, quantity } = data;
    toast.info(t('bundle.export.begun', { reference, count: quantity, shown: count(quantity) }), {
      href: `/${language}/taskcenter?task=${encodeURIComponent(reference)}`,
      label: t('bundle.export.open'),
    });
    void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
  };
  return <ExportMenu disabled={none} onExport={begin} what={t('bundle.export.what')} />;
};
