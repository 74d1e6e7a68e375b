import { limits } from '@simcube/contract';
import { type ScheduleAudience, scheduleModes } from '@simcube/contract/schedule';
import { Input } from 'antd';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { instants } from '../../../lib/time/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { timeZones } from '../zones.ts';
import type { Issue } from './draft.ts';
import styles from './editor.module.css';
import type { EditorCardProps } from './text-card.tsx';
import { WeekGrid } from './week-grid.tsx';

/** Once or weekly, and the time zone. */
export const WhenCard = ({
  draft,
  issues,
  disabled,
  audience,
  onChange,
}: EditorCardProps & { audience: ScheduleAudience | undefined }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const refused = audience?.preview.refused ?? [];
  const issue = issues['when.at'] ?? issues['when.from'] ?? issues['when.until'];
  return (
    <Card
      aside={
        <Segmented
          label={t('schedule.fields.when')}
          onChange={(mode) => onChange({ mode })}
          options={scheduleModes.map((value) => ({ value, label: t(`schedule.modes.${value}`), disabled }))}
          small
          value={draft.mode}
        />
      }
      extra={
        draft.mode === 'weekly' && !disabled ? (
          <span className={styles['faint']}>
            {t(
              audience === undefined
                ? 'schedule.pickTimes'
                : audience.sampled === 0
                  ? 'schedule.noGrid'
                  : 'schedule.stronger',
            )}
          </span>
        ) : null
      }
      title={t('schedule.fields.when')}
    >
      {draft.mode === 'weekly' ? (
        <>
          <WeekGrid
            disabled={disabled}
            online={audience && audience.sampled > 0 ? audience.online : undefined}
            onChange={onChange}
            times={draft.times}
          />
          <TimesProblem issue={issues['when.times']} />
        </>
      ) : null}
      <div className={styles['span']}>
        {draft.mode === 'once' ? (
          <DateField
            disabled={disabled}
            isWrong={issues['when.at'] !== undefined}
            label={t('schedule.fields.at')}
            onChange={(at) => onChange({ at })}
            type="datetime-local"
            value={draft.at}
          />
        ) : (
          <DateRange disabled={disabled} draft={draft} issues={issues} onChange={onChange} />
        )}
        <ZoneSelect disabled={disabled} onChange={(zone) => onChange({ zone })} value={draft.zone} />
      </div>
      {issue ? <Problem>{t(`errors.issues.${issue.key}`, { ...issue.values })}</Problem> : null}
      {refused.map(({ code, count: sims, message }) => (
        <p className={styles['faint']} key={code}>
          {t('schedule.leftOut', { count: sims, shown: count(sims), reason: message })}
        </p>
      ))}
    </Card>
  );
};

const Problem = ({ children }: { children: string }) => (
  <p className={styles['error']} role="alert">
    {children}
  </p>
);

const TimesProblem = ({ issue }: { issue: Issue | undefined }) => {
  const { t } = useTranslation();
  if (!issue) return null;
  return (
    <Problem>
      {issue.key === 'tooFew'
        ? t('schedule.timesRequired')
        : issue.key === 'tooMany'
          ? t('schedule.timesMaximum', { max: limits.schedules.times })
          : t(`errors.issues.${issue.key}`, { ...issue.values })}
    </Problem>
  );
};

interface DateFieldProps {
  label: string;
  type: 'date' | 'datetime-local';
  value: string;
  disabled: boolean;
  isWrong: boolean;
  onChange: (value: string) => void;
}

const DateField = ({ label, type, value, disabled, isWrong, onChange }: DateFieldProps) => {
  const id = useId();
  return (
    <span className={styles['inline']}>
      <label htmlFor={id}>{label}</label>
      <Input
        aria-invalid={isWrong}
        className={styles['moment'] ?? ''}
        disabled={disabled}
        id={id}
        onChange={({ target }) => onChange(target.value)}
        status={isWrong ? 'error' : ''}
        type={type}
        value={value}
      />
      {/* Browsers write the field in their own language. */}
      <span className={styles['faint']}>{useWords(type, value)}</span>
    </span>
  );
};

/** A date, or a date and time, as text in the language of the page; empty while it is incomplete. */
const useWords = (type: DateFieldProps['type'], value: string): string => {
  const language = useLanguage();
  const at = type === 'date' ? `${value}T00:00Z` : `${value}Z`;
  if (Number.isNaN(Date.parse(at))) return '';
  return instants(language, 'UTC').format(at, type === 'date' ? 'date' : 'dateTime');
};

const DateRange = ({ draft, disabled, issues, onChange }: EditorCardProps) => {
  const { t } = useTranslation();
  return (
    <>
      <DateField
        disabled={disabled}
        isWrong={issues['when.from'] !== undefined}
        label={t('schedule.fields.from')}
        onChange={(from) => onChange({ from })}
        type="date"
        value={draft.from}
      />
      <span className={styles['inline']}>
        {t('schedule.fields.until')}
        <Segmented
          label={t('schedule.fields.until')}
          onChange={(value) => onChange({ until: value === 'never' ? null : draft.from })}
          options={[
            { value: 'never', label: t('schedule.never'), disabled },
            { value: 'day', label: t('schedule.day'), disabled },
          ]}
          small
          value={draft.until === null ? 'never' : 'day'}
        />
      </span>
      {draft.until === null ? null : (
        <DateField
          disabled={disabled}
          isWrong={issues['when.until'] !== undefined}
          label={t('schedule.day')}
          onChange={(until) => onChange({ until })}
          type="date"
          value={draft.until}
        />
      )}
    </>
  );
};

const ZoneSelect = ({
  value,
  disabled,
  onChange,
}: Pick<DateFieldProps, 'value' | 'disabled' | 'onChange'>) => {
  const { t } = useTranslation();
  const id = useId();
  const options = useMemo(() => timeZones().map((zone) => ({ value: zone, label: zone })), []);
  return (
    <span className={`${styles['inline']} ${styles['zone']}`}>
      <label htmlFor={id}>{t('schedule.fields.zone')}</label>
      <Select
        disabled={disabled}
        id={id}
        onChange={onChange}
        options={options}
        popupMatchSelectWidth={260}
        showSearch
        style={{ width: 170 }}
        value={value}
      />
    </span>
  );
};
