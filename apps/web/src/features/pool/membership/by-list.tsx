import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call, messageOf, upload } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { FileDrop } from '../../../ui/file-drop/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import styles from './membership.module.css';

interface ByListProps {
  disabled: boolean;
  onSelection: (selection: SimSelection | undefined) => void;
}

interface Found {
  iccids: string[];
  notFound: readonly string[];
}

/** ICCIDs, IMSIs or MSISDNs, pasted or from a file; those that are no SIM of the organisation are named. */
export const ByList = ({ disabled, onSelection }: ByListProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const [text, setText] = useState('');
  const [file, setFile] = useState<string>();
  const [busy, setBusy] = useState<'file' | 'search'>();
  const [refusals, setRefusals] = useState<{ file?: string; search?: string }>({});
  const [found, setFound] = useState<Found>();
  useDraft(() => !disabled && text !== '');
  const identifiers = splitIdentifiers(text);
  const tooMany = identifiers.length > limits.bulkSearch;

  const change = (next: string): void => {
    setText(next);
    setFound(undefined);
    onSelection(undefined);
  };
  const attempt = async (what: 'file' | 'search', work: () => Promise<void>): Promise<void> => {
    setBusy(what);
    setRefusals({});
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusals({ [what]: messageOf(error) });
    } finally {
      setBusy(undefined);
    }
  };
  const read = (chosen: File): Promise<void> =>
    attempt('file', async () => {
      setFile(chosen.name);
      const { data } = await upload(endpoints.sim.readIdentifiers, { file: chosen, announce: false });
      change(data.identifiers.join('\n'));
    });
  const check = (): Promise<void> =>
    attempt('search', async () => {
      const body = { identifiers };
      const { data } = await call(endpoints.sim.resolveIdentifiers, { body, announce: false });
      setFound({ iccids: data.iccids, notFound: data.not_found });
      onSelection(data.iccids.length > 0 ? { iccids: data.iccids } : undefined);
    });

  return (
    <>
      <div className={styles['field']}>
        <label className={styles['label']} htmlFor={id}>
          {t('pool.membership.paste', { max: count(limits.bulkSearch) })}
        </label>
        <Input.TextArea
          autoFocus
          className={styles['numbers'] ?? ''}
          disabled={disabled}
          id={id}
          onChange={({ target }) => change(target.value)}
          rows={5}
          spellCheck={false}
          value={text}
        />
      </div>
      <FileDrop
        busy={busy === 'file'}
        fileName={file}
        label={t('pool.membership.file')}
        onFile={(chosen) => void read(chosen)}
        problem={refusals.file}
        rules={{
          formats: ['csv', 'xls', 'xlsx'],
          maxBytes: endpoints.sim.readIdentifiers.upload.maxBytes,
          nameLength: limits.upload.nameLength,
        }}
      />
      {found ? (
        <NotFound {...found} />
      ) : (
        <div className={styles['check']}>
          <span aria-live="polite" className={tooMany ? styles['wrong'] : styles['words']}>
            {t('pool.membership.entered', { count: identifiers.length, shown: count(identifiers.length) })}
          </span>
          <Button
            disabled={identifiers.length === 0 || tooMany || busy === 'file'}
            loading={busy === 'search'}
            onClick={() => void check()}
          >
            {t('pool.membership.check')}
          </Button>
        </div>
      )}
      {refusals.search ? (
        <p className={styles['wrong']} role="alert">
          {refusals.search}
        </p>
      ) : null}
    </>
  );
};

const NotFound = ({ notFound }: Found) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  if (notFound.length === 0) return null;
  const shown = count(notFound.length);
  return (
    <details className={styles['missing']}>
      <summary>{t('pool.membership.notFound', { count: notFound.length, shown })}</summary>
      <ul className={styles['iccids']}>
        {notFound.map((identifier) => (
          <li key={identifier}>{identifier}</li>
        ))}
      </ul>
    </details>
  );
};
