import { CloseOutlined } from '@ant-design/icons';
import type { SimSelection } from '@simcube/contract/sim';
import type { SmsSent } from '@simcube/contract/sms';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useFocusRestore } from '../../../ui/focus/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { useDraft, useLeave } from '../../../ui/unsaved/index.ts';
import { newScheduleHref, SelectByFile, SelectByFilter } from '../../schedule/index.ts';
import { findSelection } from '../stored-selections.ts';
import styles from './composer.module.css';
import { ConfirmSend } from './confirm-send.tsx';
import { Cost } from './cost.tsx';
import { measureOf } from './measure.ts';
import { SelectByList } from './select-by-list.tsx';
import { TextField } from './text-field.tsx';
import { useListedSims, useRecipientPreview } from './use-recipients.ts';

interface ComposerProps {
  /** The key under which SIMs chosen elsewhere are stored, if any. */
  selectionKey: string | undefined;
  onSent: (sent: SmsSent) => void;
  onClose: () => void;
}

const methods = ['list', 'filter', 'file'] as const;
type Method = (typeof methods)[number];

/** Writes a message: recipients, text, and its cost before it is sent. */
export const Composer = ({ selectionKey, onSent, onClose }: ComposerProps) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const navigate = useNavigate();
  const leave = useLeave();
  useFocusRestore(true);
  const [preset, setPreset] = useState(() =>
    selectionKey === undefined ? undefined : findSelection(selectionKey),
  );
  const [method, setMethod] = useState<Method>(preset ? 'filter' : 'list');
  const [numbers, setNumbers] = useState('');
  const [filter, setFilter] = useState<SimSelection>();
  const [text, setText] = useState('');
  const [isConfirming, setConfirming] = useState(false);
  const listed = useListedSims(method === 'list' ? numbers : '');
  const isSent = useRef(false);
  useDraft(
    () => !isSent.current && (text.trim() !== '' || numbers.trim() !== ''),
    (address) => address.get('compose') === (selectionKey ?? 'open'),
  );
  const selection = selectionOf({ method, listed: listed.iccids, filter: preset ?? filter });
  const recipients = useRecipientPreview(selection);
  const measure = measureOf(text);
  const sims = recipients.data?.changing;
  const schedule = (): void => {
    const prefill = { content: text, ...(selection ? { selection } : {}) };
    // The content continues in the editor of schedules, so nothing is lost.
    void navigate({ href: newScheduleHref(language, prefill), ignoreBlocker: true });
  };
  const canConfirm = measure.content !== undefined && (sims ?? 0) > 0;
  return (
    <Card
      extra={
        <Button
          aria-label={t('sms.compose.close')}
          icon={<CloseOutlined aria-hidden="true" />}
          onClick={() => leave(onClose)}
          size="small"
          type="text"
        />
      }
      title={t('sms.compose.title')}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (canConfirm) setConfirming(true);
        }}
      >
        <div className={styles['fields']}>
          <div className={styles['to']}>
            <div className={styles['header']}>
              <span>{t('sms.compose.to')}</span>
              <Segmented
                label={t('sms.compose.to')}
                onChange={setMethod}
                options={methods.map((value) => ({ value, label: t(`sms.compose.ways.${value}`) }))}
                small
                value={method}
              />
            </div>
            {method === 'list' ? (
              <SelectByList disabled={false} listed={listed} onText={setNumbers} text={numbers} />
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
                  setNumbers(identifiers.join('\n'));
                  setMethod('list');
                }}
              />
            ) : null}
          </div>
          <TextField
            label={t('sms.compose.text')}
            measure={measure}
            onChange={setText}
            placeholder={t('sms.compose.textHint')}
            value={text}
          />
        </div>
        <div className={styles['footer']}>
          <Cost parts={measure.parts} recipients={recipients} hasSelection={selection !== undefined} />
          <Button disabled={listed.entered > 0 && !listed.iccids} onClick={schedule}>
            {t('sms.compose.schedule')}
          </Button>
          <Button disabled={!canConfirm} htmlType="submit" type="primary">
            {sims === undefined || sims === 0
              ? t('sms.compose.send')
              : t('sms.compose.sendTo', { count: sims, shown: count(sims) })}
          </Button>
        </div>
      </form>
      {isConfirming && selection && measure.content !== undefined ? (
        <ConfirmSend
          onClose={() => setConfirming(false)}
          onSent={(sent) => {
            // A sent message is no longer a draft: leaving does not ask for confirmation.
            isSent.current = true;
            onSent(sent);
          }}
          order={{ selection, content: measure.content }}
        />
      ) : null}
    </Card>
  );
};

const selectionOf = ({
  method,
  listed,
  filter,
}: {
  method: Method;
  listed: readonly string[] | undefined;
  filter: SimSelection | undefined;
}): SimSelection | undefined => {
  if (method === 'filter') return filter;
  return method === 'list' && listed && listed.length > 0 ? { iccids: [...listed] } : undefined;
};
