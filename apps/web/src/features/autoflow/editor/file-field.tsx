import { endpoints } from '@simcube/contract';
import type { RuleFileKind, RuleFileValidation } from '@simcube/contract/autoflow';
import { templateFormats } from '@simcube/contract/task';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, download, upload } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { FileDrop, useUpload } from '../../../ui/file-drop/index.ts';
import styles from '../autoflow.module.css';
import type { ListCardProps } from './card-parts.tsx';
import type { RuleFile } from './draft.ts';

interface FileFieldProps extends Pick<ListCardProps, 'disabled' | 'onUploading'> {
  kind: RuleFileKind;
  file: RuleFile | null;
  onFile: (file: RuleFile | null) => void;
}

const maxShownErrors = 5;
const calls = { sims: endpoints.autoflow.validateScopeFile, imeis: endpoints.autoflow.validateImeiFile };

/** A list in a file, read and checked immediately; a file with an invalid row is rejected. */
export const FileField = ({ kind, file, disabled, onFile, onUploading }: FileFieldProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [validation, setValidation] = useState<RuleFileValidation>();
  const list = useUpload(calls[kind], async (chosen, replaces) => {
    setValidation(undefined);
    const { data } = await upload(calls[kind], { query: { replaces }, file: chosen, announce: false });
    const { upload_id, digest, rows } = data;
    if (upload_id === null) {
      setValidation(data);
      onFile(null);
    } else {
      onFile({ reference: { upload_id, digest }, source: chosen, name: chosen.name, rows });
    }
    return upload_id;
  });
  const isUploading = list.busy;
  useEffect(() => {
    if (!isUploading) return;
    onUploading(kind, true);
    return () => onUploading(kind, false);
  }, [isUploading, kind, onUploading]);
  return (
    <div className={styles['stack']}>
      {disabled ? null : (
        <FileDrop
          {...list}
          fileName={list.busy ? list.fileName : (file?.name ?? undefined)}
          label={t(`autoflow.files.${kind}`)}
        />
      )}
      {file ? <span>{t('autoflow.files.rows', { count: file.rows, shown: count(file.rows) })}</span> : null}
      {validation ? <FileErrors validation={validation} /> : null}
      <span className={styles['faint']}>
        {t('autoflow.files.template')}
        {templateFormats.map((format) => (
          <Button
            key={format}
            onClick={() =>
              void attempt(async () =>
                saveFile(
                  await download(endpoints.autoflow.scopeFileTemplate, {
                    params: { kind },
                    query: { format },
                  }),
                ),
              )
            }
            size="small"
            type="link"
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </span>
    </div>
  );
};

const FileErrors = ({ validation: { errors, wrong_rows: rows } }: { validation: RuleFileValidation }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (
    <div role="alert">
      <p className={styles['error']}>{t('autoflow.files.wrong', { count: rows, shown: count(rows) })}</p>
      <ul>
        {errors.slice(0, maxShownErrors).map(({ row, column, value, message }) => (
          <li className={styles['faint']} key={`${row} ${column}`}>
            {t('autoflow.files.fault', { row: count(row), value, message })}
          </li>
        ))}
      </ul>
    </div>
  );
};
