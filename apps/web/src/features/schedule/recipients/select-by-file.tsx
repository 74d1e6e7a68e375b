import { endpoints, limits } from '@simcube/contract';
import { templateFormats } from '@simcube/contract/task';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, download, messageOf, upload } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { FileDrop } from '../../../ui/file-drop/index.ts';
import styles from './recipients.module.css';

/** Reads ICCIDs from a file into the list; also offers the empty template. */
export const SelectByFile = ({
  onIdentifiers,
}: {
  onIdentifiers: (identifiers: readonly string[]) => void;
}) => {
  const { t } = useTranslation();
  const [file, setFile] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const readFile = async (chosen: File): Promise<void> => {
    setFile(chosen.name);
    setBusy(true);
    setRefusal(undefined);
    try {
      const { data } = await upload(endpoints.sim.readIdentifiers, { file: chosen, announce: false });
      onIdentifiers(data.identifiers);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const downloadTemplate = async (format: (typeof templateFormats)[number]): Promise<void> => {
    try {
      saveFile(await download(endpoints.sms.sendTemplate, { query: { format } }));
    } catch (error) {
      // The API client has shown the reason.
      if (!(error instanceof ApiFailure)) throw error;
    }
  };
  return (
    <>
      <FileDrop
        busy={busy}
        fileName={file}
        label={t('sms.compose.file')}
        onFile={(chosen) => void readFile(chosen)}
        problem={refusal}
        rules={{
          formats: ['csv', 'xls', 'xlsx'],
          maxBytes: endpoints.sim.readIdentifiers.upload.maxBytes,
          nameLength: limits.upload.nameLength,
        }}
      />
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
