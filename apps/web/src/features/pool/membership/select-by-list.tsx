import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ResolvedIdentifiers, useEnteredIdentifiers } from '../../../lib/entered-identifiers/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { FileDrop, fileRulesOf } from '../../../ui/file-drop/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import styles from './membership.module.css';

interface SelectByListProps {
  disabled: boolean;
  onSelection: (selection: SimSelection | undefined) => void;
}

/** ICCIDs, IMSIs or MSISDNs, pasted or from a file; lists those that are not SIMs of the organisation. */
export const SelectByList = ({ disabled, onSelection }: SelectByListProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const [result, setResult] = useState<ResolvedIdentifiers>();
  const { text, identifiers, tooMany, fileName, busy, refusals, enter, read, search } = useEnteredIdentifiers(
    () => {
      setResult(undefined);
      onSelection(undefined);
    },
  );
  useDraft(() => text !== '');
  const check = (): Promise<void> =>
    search((resolved) => {
      setResult(resolved);
      onSelection(resolved.iccids.length > 0 ? { iccids: resolved.iccids } : undefined);
    });

  return (
    <>
      <DialogField htmlFor={id} label={t('pool.membership.paste', { max: count(limits.bulkSearch) })}>
        <Input.TextArea
          autoFocus
          className={styles['numbers'] ?? ''}
          disabled={disabled}
          id={id}
          onChange={({ target }) => enter(target.value)}
          rows={5}
          spellCheck={false}
          value={text}
        />
      </DialogField>
      <FileDrop
        busy={busy === 'file'}
        fileName={fileName}
        label={t('pool.membership.file')}
        onFile={(chosen) => void read(chosen)}
        problem={refusals.file}
        rules={fileRulesOf(endpoints.sim.readIdentifiers)}
      />
      {result ? (
        <NotFound notFound={result.not_found} />
      ) : (
        <div className={styles['check']}>
          <span aria-live="polite" className={tooMany ? styles['error'] : styles['words']}>
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
      <Refusal reason={refusals.search} />
    </>
  );
};

const NotFound = ({ notFound }: { notFound: readonly string[] }) => {
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
