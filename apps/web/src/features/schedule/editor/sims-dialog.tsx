import { limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { SelectByFile } from '../recipients/select-by-file.tsx';
import { SelectByFilter } from '../recipients/select-by-filter.tsx';
import styles from './editor.module.css';

interface SimsDialogProps {
  selection: SimSelection | undefined;
  onSelection: (selection: SimSelection) => void;
  onClose: () => void;
}

/** Chooses the SIMs of a schedule: by a list, by a filter, or by a file. */
export const SimsDialog = ({ open, ...sims }: SimsDialogProps & { open: boolean }) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={sims.onClose} open={open} title={t('schedule.editSims')} width={520}>
      <SimsForm {...sims} />
    </Dialog>
  );
};

const methods = ['list', 'filter', 'file'] as const;
type Method = (typeof methods)[number];

const SimsForm = ({ selection, onSelection, onClose }: SimsDialogProps) => {
  const { t } = useTranslation();
  const [method, setMethod] = useState<Method>(selection && 'filter' in selection ? 'filter' : 'list');
  const [preset, setPreset] = useState(selection && 'filter' in selection ? selection : undefined);
  const [filter, setFilter] = useState<SimSelection>();
  const [text, setText] = useState(selection && 'iccids' in selection ? selection.iccids.join('\n') : '');
  const identifiers = [...new Set(splitIdentifiers(text))];
  const listSelection =
    identifiers.length > 0 && identifiers.length <= limits.sms.iccids ? { iccids: identifiers } : undefined;
  const newSelection = { list: listSelection, filter: preset ?? filter, file: undefined }[method];
  return (
    <div className={styles['column']}>
      <div>
        <Segmented
          label={t('schedule.editSims')}
          onChange={setMethod}
          options={methods.map((value) => ({ value, label: t(`sms.compose.ways.${value}`) }))}
          small
          value={method}
        />
      </div>
      {method === 'list' ? (
        <ListField identifierCount={identifiers.length} onText={setText} text={text} />
      ) : null}
      {method === 'filter' ? (
        <SelectByFilter
          preset={preset}
          disabled={false}
          onDiscardPreset={() => setPreset(undefined)}
          onSelection={setFilter}
        />
      ) : null}
      {method === 'file' ? (
        <SelectByFile
          onIdentifiers={(identifiers) => {
            setText(identifiers.join('\n'));
            setMethod('list');
          }}
        />
      ) : null}
      <div className={styles['end']}>
        <Button
          disabled={!newSelection}
          onClick={() => {
            if (newSelection) onSelection(newSelection);
            onClose();
          }}
          type="primary"
        >
          {t('schedule.apply')}
        </Button>
      </div>
    </div>
  );
};

const ListField = ({
  text,
  identifierCount,
  onText,
}: {
  text: string;
  identifierCount: number;
  onText: (text: string) => void;
}) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const max = limits.sms.iccids;
  return (
    <>
      <div className={styles['label']}>
        <label htmlFor={id}>{t('sms.compose.iccids')}</label>
        <span aria-live="polite" className={identifierCount > max ? styles['error'] : styles['faint']}>
          {t('schedule.iccidsCount', { used: count(identifierCount), max: count(max) })}
        </span>
      </div>
      <Input.TextArea
        autoFocus
        className={styles['message'] ?? ''}
        id={id}
        onChange={({ target }) => onText(target.value)}
        placeholder={t('schedule.iccidsHint', { max: count(max) })}
        rows={7}
        spellCheck={false}
        value={text}
      />
    </>
  );
};
