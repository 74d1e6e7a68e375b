import { DownloadOutlined } from '@ant-design/icons';
import { endpoints } from '@simcube/contract';
import { type TemplateFormat, templateFormats } from '@simcube/contract/task';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import styles from './transfer.module.css';

const templates = {
  transfer: endpoints.sim.transferTemplate,
  uploadInfo: endpoints.sim.uploadInfoTemplate,
} as const;

/** Links to the empty template, in all formats that can be uploaded. */
export const TemplateLinks = ({ template }: { template: keyof typeof templates }) => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<TemplateFormat | undefined>();
  const downloadTemplate = async (format: TemplateFormat): Promise<void> => {
    setBusy(format);
    await attempt(async () => saveFile(await download(templates[template], { params: { format } })));
    setBusy(undefined);
  };
  return (
    <div className={styles['downloads']}>
      <span>{t('operations.template')}</span>
      {templateFormats.map((format) => (
        <Button
          icon={<DownloadOutlined aria-hidden="true" />}
          key={format}
          loading={busy === format}
          onClick={() => void downloadTemplate(format)}
          size="small"
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
};
