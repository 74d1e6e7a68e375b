import { endpoints, limits } from '@simcube/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, messageOf, upload } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { FileDrop } from '../../../ui/file-drop/index.ts';
import styles from '../operations/operations.module.css';
import { fileRulesOf } from './file-rules.ts';
import { TemplateLinks } from './template-links.tsx';
import type { ReadFile } from './use-transfer.ts';

interface TransferFileProps {
  /** The target of the SIMs: the file is checked for that organisation. */
  code: string | undefined;
  file: ReadFile | undefined;
  onFile: (file: ReadFile | undefined) => void;
}

/** The template, the file, and the server's result. */
export const TransferFile = ({ code, file, onFile }: TransferFileProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [reading, setReading] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const replaces = useRef<string | undefined>(undefined);
  const read = async (chosen: File): Promise<void> => {
    if (code === undefined) return;
    setReading(chosen.name);
    setProblem(undefined);
    onFile(undefined);
    try {
      const { data } = await upload(endpoints.sim.parseTransfer, {
        params: { targetCode: code },
        query: { replaces: replaces.current },
        file: chosen,
        announce: false,
      });
      replaces.current = data.upload_id;
      onFile({ ...data, name: chosen.name });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblem(messageOf(error));
    } finally {
      setReading(undefined);
    }
  };
  return (
    <>
      <TemplateLinks of="transfer" />
      {code === undefined ? (
        <p className={styles['words']}>{t('operations.targetFirst')}</p>
      ) : (
        <FileDrop
          busy={reading !== undefined}
          fileName={reading ?? file?.name}
          label={t('operations.fields.transferFile', { max: format.count(limits.upload.rows) })}
          onFile={(chosen) => void read(chosen)}
          problem={problem}
          rules={fileRulesOf(endpoints.sim.parseTransfer)}
        />
      )}
    </>
  );
};
