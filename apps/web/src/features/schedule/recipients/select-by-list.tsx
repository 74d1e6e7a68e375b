import { limits } from '@simcube/contract';
import { Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import styles from './recipients.module.css';
import type { ListedSims } from './use-listed-sims.ts';

interface SelectByListProps {
  text: string;
  setText: (text: string) => void;
  listed: ListedSims;
}

/** A field for pasted ICCIDs, which immediately shows their number and those that are not the organisation's. */
export const SelectByList = ({ text, setText, listed }: SelectByListProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <label className={visuallyHidden} htmlFor={id}>
        {t('sms.compose.iccids')}
      </label>
      <Input.TextArea
        aria-describedby={`${id}-count`}
        autoFocus
        className={styles['numbers'] ?? ''}
        id={id}
        onChange={({ target }) => setText(target.value)}
        placeholder={t('sms.compose.iccidsHint')}
        rows={4}
        spellCheck={false}
        value={text}
      />
      <ListedCounts id={`${id}-count`} listed={listed} />
    </>
  );
};

/** How many SIMs were entered, and those that were not found. */
export const ListedCounts = ({ listed, id }: { listed: ListedSims; id?: string }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { entered, duplicates, tooMany, notFound, error, retry } = listed;
  return (
    <>
      {error ? <Failure error={error} onRetry={retry} small /> : null}
      <div className={styles['counts']} id={id}>
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
