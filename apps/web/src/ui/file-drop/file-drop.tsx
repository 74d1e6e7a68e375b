import { InboxOutlined, LoadingOutlined } from '@ant-design/icons';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './file-drop.module.css';
import { type FileRules, megabytes, problemOf } from './file-rules.ts';

export interface FileDropProps {
  /** What the file is, for screen readers. */
  label: string;
  rules: FileRules;
  /** Called with a file that passes the rules. */
  onFile: (file: File) => void;
  /** The file is being sent or read. */
  busy?: boolean;
  /** Its name, once it was read. */
  fileName?: string | undefined;
  /** The server's objection. */
  problem?: ReactNode;
}

/** Accepts one file, dropped or chosen, by pointer or keyboard, and reports problems immediately. */
export const FileDrop = ({ label, rules, onFile, busy = false, fileName, problem }: FileDropProps) => {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | undefined>();

  const take = (file: File | undefined): void => {
    if (!file || busy) return;
    const found = problemOf(file, rules);
    const values = {
      uploadTooLarge: { max: megabytes(rules.maxBytes) },
      uploadNameTooLong: { max: rules.nameLength },
    };
    setRefused(found && t(`errors.${found}`, found in values ? values[found as keyof typeof values] : {}));
    if (!found) onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  const wrong = refused ?? problem;
  return (
    <div className={styles['drop']}>
      <button
        {...(wrong ? { 'aria-describedby': `${id}-wrong` } : {})}
        className={styles['area']}
        data-over={over ? 'true' : undefined}
        disabled={busy}
        onClick={() => input.current?.click()}
        onDragLeave={() => setOver(false)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDrop={drop}
        type="button"
      >
        <span className={visuallyHidden}>{label}</span>
        {busy ? <LoadingOutlined aria-hidden="true" /> : <InboxOutlined aria-hidden="true" />}
        <span className={styles['name']}>
          {busy ? t('kit.file.reading', { name: fileName ?? '' }) : (fileName ?? t('kit.file.drop'))}
        </span>
        <span className={styles['rules']}>
          {fileName && !busy
            ? t('kit.file.another')
            : t('kit.file.rules', {
                formats: rules.formats.join(', '),
                max: megabytes(rules.maxBytes),
                name: rules.nameLength,
              })}
        </span>
      </button>
      <input
        accept={rules.formats.map((format) => `.${format}`).join(',')}
        aria-hidden="true"
        className={styles['input']}
        onChange={(event) => {
          take(event.target.files?.[0]);
          // Choosing the same file again, after correcting it, must fire a change event.
          event.target.value = '';
        }}
        ref={input}
        tabIndex={-1}
        type="file"
      />
      {wrong ? (
        <p className={styles['error']} id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      ) : null}
    </div>
  );
};
