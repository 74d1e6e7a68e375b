import { limits } from '@simcube/contract';
import { Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import styles from './composer.module.css';
import type { Listed } from './use-recipients.ts';

interface ByListProps {
  text: string;
  listed: Listed;
  disabled: boolean;
  onText: (text: string) => void;
}

/** A field for pasted ICCIDs, which immediately shows their number and those that are not the organisation's. */
export const ByList = ({ text, listed, disabled, onText }: ByListProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const { entered, twice, tooMany, notFound } = listed;
  return (
    <>
      <label className={styles['heard']} htmlFor={id}>
        {t('sms.compose.iccids')}
      </label>
      <Input.TextArea
        aria-describedby={`${id}-count`}
        autoFocus
        className={styles['numbers'] ?? ''}
        disabled={disabled}
        id={id}
        onChange={({ target }) => onText(target.value)}
        placeholder={t('sms.compose.iccidsHint')}
        rows={4}
        spellCheck={false}
        value={text}
      />
      <div className={styles['counts']} id={`${id}-count`}>
        <span aria-live="polite">
          <b className={tooMany ? styles['wrong'] : undefined}>
            {t('sms.compose.entered', { shown: count(entered), max: count(limits.sms.iccids) })}
          </b>
          {twice > 0 ? ` ${t('sms.compose.twice', { count: twice, shown: count(twice) })}` : null}
        </span>
        {notFound.length > 0 ? (
          <details className={styles['others']}>
            <summary>
              {t('sms.compose.notFound', { count: notFound.length, shown: count(notFound.length) })}
            </summary>
            <ul>
              {notFound.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </>
  );
};
