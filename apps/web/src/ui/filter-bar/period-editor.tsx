import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period, PeriodFilter } from './filter.ts';
import styles from './filter-bar.module.css';

/** Applies each valid change; an invalid one stays in the fields, with an error message. */
export const PeriodEditor = ({ filter, onDone }: { filter: PeriodFilter; onDone: () => void }) => {
  const { t } = useTranslation();
  const id = useId();
  const [rejected, setRejected] = useState<Period>();
  const { from, to } = rejected ?? filter.value ?? {};
  const problem = rejected && filter.problem?.(rejected);
  const change = (next: Period): void => {
    const isInvalid = filter.problem?.(next) !== undefined;
    setRejected(isInvalid ? next : undefined);
    if (!isInvalid) filter.onChange(next.from === undefined && next.to === undefined ? undefined : next);
  };
  // The browser's own field reports a date only when it is complete.
  const day = (end: 'from' | 'to', value: string | undefined) => (
    <label className={styles['number']} htmlFor={`${id}-${end}`}>
      <span>{t(`kit.filter.${end}`)}</span>
      <Input
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-invalid={problem !== undefined}
        className={styles['day'] ?? ''}
        id={`${id}-${end}`}
        max={end === 'from' ? to : undefined}
        min={end === 'to' ? from : undefined}
        onChange={(event) =>
          change({ from, to, [end]: event.target.value === '' ? undefined : event.target.value })
        }
        type="date"
        {...(problem ? { status: 'error' as const } : {})}
        value={value ?? ''}
      />
    </label>
  );
  return (
    <>
      {filter.suggestions ? (
        <div className={styles['offered']}>
          {filter.suggestions.map(({ label, chosen, onChoose }) => (
            <Button
              aria-pressed={chosen}
              key={label}
              onClick={() => {
                onChoose();
                onDone();
              }}
              size="small"
              type={chosen ? 'primary' : 'default'}
            >
              {label}
            </Button>
          ))}
        </div>
      ) : null}
      <div className={styles['period']}>
        {day('from', from)}
        {day('to', to)}
      </div>
      {problem ? (
        <p className={styles['problem']} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      ) : null}
    </>
  );
};
