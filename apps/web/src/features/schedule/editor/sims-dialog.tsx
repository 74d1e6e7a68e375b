import { limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { ByFile } from '../recipients/by-file.tsx';
import { ByFilter } from '../recipients/by-filter.tsx';
import styles from './editor.module.css';

interface SimsProps {
  selection: SimSelection | undefined;
  onSelection: (selection: SimSelection) => void;
  onClose: () => void;
}

/** Chooses the SIMs of a schedule: by a list, by a filter, or by a file. */
export const SimsDialog = ({ open, ...sims }: SimsProps & { open: boolean }) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={sims.onClose} open={open} title={t('schedule.editSims')} width={520}>
      <SimsForm {...sims} />
    </Dialog>
  );
};

const ways = ['list', 'filter', 'file'] as const;
type Way = (typeof ways)[number];

const SimsForm = ({ selection, onSelection, onClose }: SimsProps) => {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>(selection && 'filter' in selection ? 'filter' : 'list');
  const [chosen, setChosen] = useState(selection && 'filter' in selection ? selection : undefined);
  const [filter, setFilter] = useState<SimSelection>();
  const [text, setText] = useState(selection && 'iccids' in selection ? selection.iccids.join('\n') : '');
  const named = [...new Set(splitIdentifiers(text))];
  const listed = named.length > 0 && named.length <= limits.sms.iccids ? { iccids: named } : undefined;
  const wanted = { list: listed, filter: chosen ?? filter, file: undefined }[way];
  return (
    <div className={styles['column']}>
      <div>
        <Segmented
          label={t('schedule.editSims')}
          onChange={setWay}
          options={ways.map((value) => ({ value, label: t(`sms.compose.ways.${value}`) }))}
          small
          value={way}
        />
      </div>
      {way === 'list' ? <ListField named={named.length} onText={setText} text={text} /> : null}
      {way === 'filter' ? (
        <ByFilter
          chosen={chosen}
          disabled={false}
          onForget={() => setChosen(undefined)}
          onSelection={setFilter}
        />
      ) : null}
      {way === 'file' ? (
        <ByFile
          onIdentifiers={(identifiers) => {
            setText(identifiers.join('\n'));
            setWay('list');
          }}
        />
      ) : null}
      <div className={styles['end']}>
        <Button
          disabled={!wanted}
          onClick={() => {
            if (wanted) onSelection(wanted);
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
  named,
  onText,
}: {
  text: string;
  named: number;
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
        <span aria-live="polite" className={named > max ? styles['wrong'] : styles['faint']}>
          {t('schedule.iccidsCount', { used: count(named), max: count(max) })}
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
