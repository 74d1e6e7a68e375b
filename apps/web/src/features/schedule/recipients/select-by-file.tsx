import { endpoints } from '@simcube/contract';
import { templateFormats } from '@simcube/contract/task';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { attempt, download, upload } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { FileDrop, useUpload } from '../../../ui/file-drop/index.ts';
import styles from './recipients.module.css';

/** Reads ICCIDs from a file into the list; also offers the empty template. */
export const SelectByFile = ({
  onIdentifiers,
}: {
  onIdentifiers: (identifiers: readonly string[]) => void;
}) => {
  const { t } = useTranslation();
  const file = useUpload(endpoints.sim.readIdentifiers, async (chosen) => {
    const { data } = await upload(endpoints.sim.readIdentifiers, { file: chosen, announce: false });
    onIdentifiers(data.identifiers);
    return null;
  });
  const downloadTemplate = (format: (typeof templateFormats)[number]) =>
    attempt(async () => saveFile(await download(endpoints.sms.sendTemplate, { query: { format } })));
  return (
    <>
      <FileDrop {...file} label={t('sms.compose.file')} />
      <div className={`${styles['line']} ${styles['small']}`}>
        <span>{t('sms.compose.template')}</span>
        <span>
          {templateFormats.map((format) => (
            <Button key={format} onClick={() => void downloadTemplate(format)} size="small" type="link">
              {format.toUpperCase()}
            </Button>
          ))}
        </span>
      </div>
    </>
  );
};
