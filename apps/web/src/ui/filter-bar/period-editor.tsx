import { dateSchema } from '@simcube/contract';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period, PeriodFilter } from './filter.ts';
import styles from './filter-bar.module.css';
import { Problem, problemProps } from './problem.tsx';
import { useTyped } from './use-typed.ts';

const isDay = (day: string | undefined): boolean => dateSchema.safeParse(day).success;
/** While a year is typed, the browser's field reports 0002, 0020 and 0202 on the way to 2026. */
const isComplete = ({ from, to }: Period): boolean =>
  [from, to].every((day) => day === undefined || isDay(day));
/** The first and last day that the contract accepts: with them, the browser's field has a year of four digits. */
const [firstDay, lastDay] = ['1000-01-01', '2999-12-31'];

/** Applies each valid change; an invalid one stays in the fields, with an error message. */
export const PeriodEditor = ({ filter, onDone }: { filter: PeriodFilter; onDone: () => void }) => {
  const { t } = useTranslation();
  const id = useId();
  const { shown, setTyped } = useTyped<Period>(filter.value ?? {});
  const [isBeingTyped, setBeingTyped] = useState(false);
  const problemOf = (period: Period): string | undefined => {
    const { from, to } = period;
    if (!isComplete(period)) return t('errors.issues.invalidDate');
    if (from !== undefined && to !== undefined && to < from) return t('errors.issues.endBeforeStart');
    return filter.problem?.(period);
  };
  const problem = problemOf(shown);
  const isHidden = isBeingTyped && !isComplete(shown);
  const change = (next: Period): void => {
    const isInvalid = problemOf(next) !== undefined;
    setBeingTyped(true);
    setTyped(isInvalid ? next : undefined);
    if (!isInvalid) filter.onChange(next.from === undefined && next.to === undefined ? undefined : next);
  };
  const day = (end: 'from' | 'to') => (
    <label className={styles['number']} htmlFor={`${id}-${end}`}>
      <span>{t(`kit.filter.${end}`)}</span>
      <Input
        className={styles['day'] ?? ''}
        id={`${id}-${end}`}
        max={(end === 'from' && isDay(shown.to) && shown.to) || lastDay}
        min={(end === 'to' && isDay(shown.from) && shown.from) || firstDay}
        onBlur={() => setBeingTyped(false)}
        onChange={({ target: { value } }) => change({ ...shown, [end]: value === '' ? undefined : value })}
        onPressEnter={() => setBeingTyped(false)}
        type="date"
        {...problemProps(`${id}-problem`, problem)}
        {...(isHidden ? { status: '' } : {})}
        value={shown[end] ?? ''}
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
        {day('from')}
        {day('to')}
      </div>
      <Problem id={`${id}-problem`}>{isHidden ? undefined : problem}</Problem>
    </>
  );
};
