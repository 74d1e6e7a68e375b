import { endpoints, limits } from '@simcube/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, messageOf, upload } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { FileDrop } from '../../../ui/file-drop/index.ts';
import styles from '../operations/operations.module.css';
import { fileRulesOf } from './file-rules.ts';
import { TemplateLinks } from './template-links.tsx';
import type { ParsedFile } from './use-transfer.ts';

interface TransferFileProps {
  /** The target of the SIMs: the file is checked for that organisation. */
  code: string | undefined;
  file: ParsedFile | undefined;
  onFile: (file: ParsedFile | undefined) => void;
}

/** The template, the file, and the server's result. */
export const TransferFile = ({ code, file, onFile }: TransferFileProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [uploadingName, setUploadingName] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const previousUploadId = useRef<string | undefined>(undefined);
  const uploadFile = async (chosen: File): Promise<void> => {
    if (code === undefined) return;
    setUploadingName(chosen.name);
    setProblem(undefined);
    onFile(undefined);
    try {
      const { data } = await upload(endpoints.sim.parseTransfer, {
        params: { targetCode: code },
        query: { replaces: previousUploadId.current },
        file: chosen,
        announce: false,
      });
      previousUploadId.current = data.upload_id;
      onFile({ ...data, name: chosen.name });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblem(messageOf(error));
    } finally {
      setUploadingName(undefined);
    }
  };
  return (
    <>
      <TemplateLinks template="transfer" />
      {code === undefined ? (
        <p className={styles['words']}>{t('operations.targetFirst')}</p>
      ) : (
        <FileDrop
          busy={uploadingName !== undefined}
          fileName={uploadingName ?? file?.name}
          label={t('operations.fields.transferFile', { max: format.count(limits.upload.rows) })}
          onFile={(chosen) => void uploadFile(chosen)}
          problem={problem}
          rules={fileRulesOf(endpoints.sim.parseTransfer)}
        />
      )}
    </>
  );
};
