import { limits } from '@simcube/contract';
import { Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import styles from './composer.module.css';
import type { ListedSims } from './use-recipients.ts';

interface SelectByListProps {
  text: string;
  listed: ListedSims;
  disabled: boolean;
  onText: (text: string) => void;
}

/** A field for pasted ICCIDs, which immediately shows their number and those that are not the organisation's. */
export const SelectByList = ({ text, listed, disabled, onText }: SelectByListProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const { entered, duplicates, tooMany, notFound } = listed;
  return (
    <>
      <label className={visuallyHidden} htmlFor={id}>
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
          <b className={tooMany ? styles['error'] : undefined}>
            {t('sms.compose.entered', { shown: count(entered), max: count(limits.sms.iccids) })}
          </b>
          {duplicates > 0
            ? ` ${t('sms.compose.twice', { count: duplicates, shown: count(duplicates) })}`
            : null}
        </span>
        {notFound.length > 0 ? (
          <details className={styles['notFound']}>
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
