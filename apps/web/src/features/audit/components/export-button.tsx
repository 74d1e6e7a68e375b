import { endpoints } from '@simcube/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { auditFilterOf } from '../audit-filter.ts';
import type { AuditSearch } from '../search.ts';

/** Exports the entries that match the filter as a CSV file with the hashes of the chain. */
export const ExportAuditButton = ({ search }: { search: AuditSearch }) => {
  const { t } = useTranslation();
  const zone = useTimeDisplay();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const file = await download(endpoints.audit.export, { body: auditFilterOf(search, zone) });
      saveFile(file);
      toast.success(t('audit.exported', { name: file.name }));
    });
    setBusy(false);
  };
  return (
    <Button loading={busy} onClick={() => void save()}>
      {busy ? t('audit.exporting') : t('audit.export')}
    </Button>
  );
};
