import { LockOutlined } from '@ant-design/icons';
import { languages, limits } from '@simcube/contract';
import {
  type ReportKind,
  type ReportPreferences,
  type ReportPreferencesBody,
  reportKinds,
} from '@simcube/contract/report';
import { fileFormats } from '@simcube/contract/task';
import { Button, Checkbox } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../lib/session/index.ts';
import { deviceTimeZone } from '../../lib/time/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Segmented } from '../../ui/segmented/index.ts';
import { Select } from '../../ui/select/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import { useDraft } from '../../ui/unsaved/index.ts';
import { useAddressGroups, usePreferences, useSavePreferences } from './api.ts';
import styles from './reports.module.css';
import { useDownload } from './use-download.ts';

/** Which reports are created, in which format, and who is notified: visible to all, changed by admins. */
export const PreferencesCard = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = usePreferences();
  return (
    <Card
      className={styles['preferences']}
      extra={
        <span>
          <LockOutlined aria-hidden="true" /> {t('reports.preferences.admins')}
        </span>
      }
      title={t('reports.preferences.title')}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {data || error ? null : <Loading rows={10} />}
      {data ? <Preferences stored={data.data} /> : null}
    </Card>
  );
};

/** Months are those of the device's zone until the organisation has chosen one. */
const toBody = (stored: ReportPreferences): ReportPreferencesBody => ({
  kinds: stored.kinds,
  formats: stored.formats,
  language: stored.language,
  time_zone: stored.changed_at === null ? deviceTimeZone() : stored.time_zone,
  notify: stored.notify.map(({ id }) => id),
});

const Preferences = ({ stored }: { stored: ReportPreferences }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  /** The changes made here: all other values follow the stored ones. */
  const [changes, setChanges] = useState<Partial<ReportPreferencesBody>>({});
  const draft = { ...toBody(stored), ...changes };
  const { isBusy, run } = useDownload();
  const save = useSavePreferences();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(toBody(stored));
  useDraft(
    () => isChanged,
    () => true,
  );
  const change = (patch: Partial<ReportPreferencesBody>): void =>
    setChanges((before) => ({ ...before, ...patch }));
  const field = { draft, change, disabled: !stored.changeable };
  return (
    <>
      <Kinds {...field} />
      <Form {...field} stored={stored} />
      {stored.changeable ? (
        <footer className={styles['footer']}>
          <span className={styles['rowCount']}>
            {t('reports.preferences.from', { month: calendar.longMonth(stored.next.month) })}
          </span>
          <Button
            // Defaults that were never stored may be saved unchanged.
            disabled={!isChanged && stored.changed_at !== null}
            loading={isBusy}
            onClick={() => run(() => save(draft).then(() => setChanges(withoutSent(changes))))}
            type="primary"
          >
            {t('reports.preferences.save')}
          </Button>
        </footer>
      ) : null}
    </>
  );
};

/** Leaves the changes that were made since: all others are stored. */
const withoutSent =
  (sent: Partial<ReportPreferencesBody>) =>
  (changes: Partial<ReportPreferencesBody>): Partial<ReportPreferencesBody> =>
    Object.fromEntries(
      Object.entries(changes).filter(([name, value]) => value !== sent[name as keyof ReportPreferencesBody]),
    );

interface FieldProps {
  draft: ReportPreferencesBody;
  change: (patch: Partial<ReportPreferencesBody>) => void;
  disabled: boolean;
}

const Kinds = ({ draft: { kinds }, change, disabled }: FieldProps) => {
  const { t } = useTranslation();
  const toggle = (kind: ReportKind, on: boolean): void =>
    change({ kinds: reportKinds.filter((one) => (one === kind ? on : kinds.includes(one))) });
  return (
    <ul className={styles['kinds']}>
      {reportKinds.map((kind) => (
        <li key={kind}>
          <Checkbox
            checked={kinds.includes(kind)}
            disabled={disabled || (kind === 'cost' && !session.can('customer-bill-cube'))}
            onChange={({ target }) => toggle(kind, target.checked)}
          >
            {t(`report.kinds.${kind}`)}
            <small>{t(`report.hints.${kind}`)}</small>
          </Checkbox>
        </li>
      ))}
    </ul>
  );
};

const both = 'both';

const Form = ({ draft, change, disabled, stored }: FieldProps & { stored: ReportPreferences }) => {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = useAddressGroups();
  const groups = data?.data ?? stored.notify;
  const [singleFormat] = draft.formats;
  return (
    <div className={styles['form']}>
      <div className={styles['row']}>
        <span>{t('reports.preferences.as')}</span>
        <Segmented
          label={t('reports.preferences.as')}
          onChange={(value) => change({ formats: value === both ? [...fileFormats] : [value] })}
          options={[
            ...fileFormats.map((value) => ({ value, label: value.toUpperCase(), disabled })),
            { value: both, label: t('reports.preferences.both'), disabled },
          ]}
          small
          value={draft.formats.length > 1 || singleFormat === undefined ? both : singleFormat}
        />
      </div>
      <div className={styles['row']}>
        <label htmlFor={`${id}-language`}>{t('shell.header.language')}</label>
        <Select
          disabled={disabled}
          id={`${id}-language`}
          onChange={(language) => change({ language })}
          options={languages.map((value) => ({ value, label: t(`common.languages.${value}`) }))}
          value={draft.language}
        />
      </div>
      <div className={styles['row']}>
        <label htmlFor={`${id}-zone`}>{t('reports.preferences.zone')}</label>
        <Select
          disabled={disabled}
          id={`${id}-zone`}
          onChange={(zone) => change({ time_zone: zone })}
          options={timeZoneOptions(draft.time_zone)}
          popupMatchSelectWidth={240}
          showSearch
          value={draft.time_zone}
        />
      </div>
      <label htmlFor={`${id}-notify`}>{t('reports.preferences.notify')}</label>
      <div>
        <Select<string[]>
          disabled={disabled}
          id={`${id}-notify`}
          maxCount={limits.reports.notify}
          mode="multiple"
          onChange={(notify) => change({ notify })}
          optionFilterProp="label"
          options={groups.map((group) => ({ value: group.id, label: group.name }))}
          placeholder={t('reports.preferences.nobody')}
          style={{ width: '100%' }}
          value={draft.notify}
        />
        {error && !data ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      </div>
    </div>
  );
};

/** The browser's time zones, and the stored one. */
const timeZoneOptions = (stored: string): { value: string; label: string }[] =>
  [...new Set(['UTC', stored, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value,
  }));
