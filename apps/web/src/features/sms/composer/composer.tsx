import { CloseOutlined } from '@ant-design/icons';
import type { SimSelection } from '@simcube/contract/sim';
import type { SmsSent } from '@simcube/contract/sms';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useFocusGivenBack } from '../../../ui/focus/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { useDraft, useLeave } from '../../../ui/unsaved/index.ts';
import { ByFile, ByFilter, newScheduleHref } from '../../schedule/index.ts';
import { keptSelection } from '../kept-selections.ts';
import { ByList } from './by-list.tsx';
import styles from './composer.module.css';
import { ConfirmSend } from './confirm-send.tsx';
import { Cost } from './cost.tsx';
import { measureOf } from './measure.ts';
import { TextField } from './text-field.tsx';
import { useListed, useReached } from './use-recipients.ts';

interface ComposerProps {
  /** The key under which SIMs chosen elsewhere are stored, if any. */
  chosen: string | undefined;
  onSent: (sent: SmsSent) => void;
  onClose: () => void;
}

const ways = ['list', 'filter', 'file'] as const;
type Way = (typeof ways)[number];

/** Writes a message: recipients, text, and its cost before it is sent. */
export const Composer = ({ chosen, onSent, onClose }: ComposerProps) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const navigate = useNavigate();
  const leave = useLeave();
  useFocusGivenBack(true);
  const [before, setBefore] = useState(() => (chosen === undefined ? undefined : keptSelection(chosen)));
  const [way, setWay] = useState<Way>(before ? 'filter' : 'list');
  const [numbers, setNumbers] = useState('');
  const [filter, setFilter] = useState<SimSelection>();
  const [text, setText] = useState('');
  const [confirming, setConfirming] = useState(false);
  const listed = useListed(way === 'list' ? numbers : '');
  const isSent = useRef(false);
  useDraft(
    () => !isSent.current && (text.trim() !== '' || numbers.trim() !== ''),
    (address) => address.get('compose') === (chosen ?? 'open'),
  );
  const selection = selectionOf({ way, listed: listed.iccids, filter: before ?? filter });
  const reached = useReached(selection);
  const measure = measureOf(text);
  const sims = reached.data?.changing;
  const schedule = (): void => {
    const begun = { content: text, ...(selection ? { selection } : {}) };
    // The content continues in the editor of schedules, so nothing is lost.
    void navigate({ href: newScheduleHref(language, begun), ignoreBlocker: true });
  };
  const ready = measure.content !== undefined && (sims ?? 0) > 0;
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
          if (ready) setConfirming(true);
        }}
      >
        <div className={styles['fields']}>
          <div className={styles['to']}>
            <div className={styles['head']}>
              <span>{t('sms.compose.to')}</span>
              <Segmented
                label={t('sms.compose.to')}
                onChange={setWay}
                options={ways.map((value) => ({ value, label: t(`sms.compose.ways.${value}`) }))}
                small
                value={way}
              />
            </div>
            {way === 'list' ? (
              <ByList disabled={false} listed={listed} onText={setNumbers} text={numbers} />
            ) : null}
            {way === 'filter' ? (
              <ByFilter
                chosen={before}
                disabled={false}
                onForget={() => setBefore(undefined)}
                onSelection={setFilter}
              />
            ) : null}
            {way === 'file' ? (
              <ByFile
                onIdentifiers={(identifiers) => {
                  setNumbers(identifiers.join('\n'));
                  setWay('list');
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
          <Cost parts={measure.parts} reached={reached} selected={selection !== undefined} />
          <Button disabled={listed.entered > 0 && !listed.iccids} onClick={schedule}>
            {t('sms.compose.schedule')}
          </Button>
          <Button disabled={!ready} htmlType="submit" type="primary">
            {sims === undefined || sims === 0
              ? t('sms.compose.send')
              : t('sms.compose.sendTo', { count: sims, shown: count(sims) })}
          </Button>
        </div>
      </form>
      {confirming && selection && measure.content !== undefined ? (
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
  way,
  listed,
  filter,
}: {
  way: Way;
  listed: readonly string[] | undefined;
  filter: SimSelection | undefined;
}): SimSelection | undefined => {
  if (way === 'filter') return filter;
  return way === 'list' && listed && listed.length > 0 ? { iccids: [...listed] } : undefined;
};
