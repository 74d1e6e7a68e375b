import { endpoints, limits } from '@simcube/contract';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEnteredIdentifiers } from '../../../../lib/entered-identifiers/index.ts';
import { useFormat } from '../../../../lib/format/index.ts';
import { Dialog, DialogContent, DialogField, DialogText } from '../../../../ui/dialog/index.ts';
import { Refusal } from '../../../../ui/failure/index.ts';
import { FileDrop, fileRulesOf } from '../../../../ui/file-drop/index.ts';
import { type IdentifierList, storeIdentifierList } from '../../identifier-lists.ts';
import styles from './bulk-search.module.css';
import { ResolvedList } from './resolved-list.tsx';

interface BulkSearchProps {
  open: boolean;
  /** A list that was searched before: its result is shown again. */
  initialResult: IdentifierList | undefined;
  /** Called with the key under which the found SIMs are stored. */
  onList: (key: string) => void;
  onClose: () => void;
}

/** Finds up to 10,000 SIMs by pasted or uploaded identifiers, and lists those that were not found. */
export const BulkSearchDialog = ({ open, onClose, ...content }: BulkSearchProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} open={open} title={t('simList.bulkSearch.title')} width={560}>
      <BulkSearch {...content} onClose={onClose} />
    </Dialog>
  );
};

const BulkSearch = ({ initialResult, onList, onClose }: Omit<BulkSearchProps, 'open'>) => {
  const [result, setResult] = useState(initialResult);
  if (!result) return <EntryForm onCancel={onClose} onResult={setResult} />;
  return (
    <ResolvedList
      list={result}
      onSearchAgain={() => setResult(undefined)}
      onShow={() => {
        if (result !== initialResult) onList(storeIdentifierList(result));
        onClose();
      }}
    />
  );
};

interface EntryFormProps {
  onResult: (list: IdentifierList) => void;
  onCancel: () => void;
}

const EntryForm = ({ onResult, onCancel }: EntryFormProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { text, identifiers, tooMany, fileName, busy, refusals, enter, read, search } =
    useEnteredIdentifiers();
  const findSims = (): Promise<void> =>
    search(({ iccids, not_found: notFound, duplicates }) => onResult({ iccids, notFound, duplicates }));

  return (
    <DialogContent
      actions={
        <Button
          disabled={identifiers.length === 0 || tooMany || busy === 'file'}
          loading={busy === 'search'}
          onClick={() => void findSims()}
          type="primary"
        >
          {t('simList.bulkSearch.find')}
        </Button>
      }
      onCancel={onCancel}
    >
      <DialogText>{t('simList.bulkSearch.hint', { max: format.count(limits.bulkSearch) })}</DialogText>
      <DialogField htmlFor={id} label={t('simList.bulkSearch.paste')}>
        <Input.TextArea
          autoFocus
          className={styles['numbers'] ?? ''}
          id={id}
          onChange={(event) => enter(event.target.value)}
          rows={8}
          spellCheck={false}
          value={text}
        />
      </DialogField>
      <FileDrop
        busy={busy === 'file'}
        fileName={fileName}
        label={t('simList.bulkSearch.file')}
        onFile={(chosen) => void read(chosen)}
        problem={refusals.file}
        rules={fileRulesOf(endpoints.sim.readIdentifiers)}
      />
      <p aria-live="polite" className={tooMany ? styles['error'] : styles['words']}>
        {tooMany
          ? t('simList.bulkSearch.tooMany', {
              shown: format.count(identifiers.length),
              max: format.count(limits.bulkSearch),
            })
          : t('simList.bulkSearch.count', {
              count: identifiers.length,
              shown: format.count(identifiers.length),
            })}
      </p>
      <Refusal reason={refusals.search} />
    </DialogContent>
  );
};
