import { endpoints, limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { upload } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { DialogText } from '../../../ui/dialog/index.ts';
import { FileDrop, useUpload } from '../../../ui/file-drop/index.ts';
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
  const transferFile = useUpload(endpoints.sim.parseTransfer, async (chosen, replaces) => {
    onFile(undefined);
    const { data } = await upload(endpoints.sim.parseTransfer, {
      params: { targetCode: code ?? '' },
      query: { replaces },
      file: chosen,
      announce: false,
    });
    onFile({ ...data, name: chosen.name });
    return data.upload_id;
  });
  return (
    <>
      <TemplateLinks template="transfer" />
      {code === undefined ? (
        <DialogText>{t('operations.targetFirst')}</DialogText>
      ) : (
        <FileDrop
          {...transferFile}
          fileName={transferFile.busy ? transferFile.fileName : file?.name}
          label={t('operations.fields.transferFile', { max: format.count(limits.upload.rows) })}
        />
      )}
    </>
  );
};
