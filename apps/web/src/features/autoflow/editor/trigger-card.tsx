import { endpoints } from '@simcube/contract';
import { dataUnits, rulePeriods, type TriggerKind } from '@simcube/contract/autoflow';
import { minorDigits } from '@simcube/contract/price';
import { lifecycles } from '@simcube/contract/sim';
import { Input } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { NumberField } from '../../../ui/number-field/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from '../autoflow.module.css';
import { frequencyOf } from '../frequency.ts';
import { type CardProps, IssueMessage, invalidIf, type ListCardProps, StepTitle } from './card-parts.tsx';
import { type Issue, withTrigger } from './draft.ts';
import { FileField } from './file-field.tsx';

/** The event or threshold that triggers the rule. */
export const TriggerCard = (card: ListCardProps) => {
  const { t } = useTranslation();
  const { draft, issues, disabled, onChange } = card;
  const triggers = useApiQuery(endpointQuery(endpoints.autoflow.triggers, { params: { trigger: 'all' } }))
    .data?.data;
  const kinds = triggers?.map(({ kind }) => kind) ?? [draft.kind];
  return (
    <Card title={<StepTitle name={t('autoflow.steps.when')} number={1} />}>
      <div className={styles['line']}>
        <Select<TriggerKind>
          aria-label={t('autoflow.fields.trigger')}
          disabled={disabled}
          onChange={(kind) => onChange(withTrigger(draft, kind))}
          options={kinds.map((kind) => ({ value: kind, label: t(`autoflow.triggers.${kind}`) }))}
          style={{ minWidth: 190 }}
          value={draft.kind}
        />
        <Condition {...card} />
      </div>
      <p className={styles['faint']}>{t(`autoflow.once.${frequencyOf(draft)}`)}</p>
      <IssueMessage
        issue={draft.kind === 'cost' ? inMajorUnits(issues.trigger, draft.currency) : issues.trigger}
      />
    </Card>
  );
};

const Condition = (card: ListCardProps) => {
  const { t } = useTranslation();
  const { draft, onChange, disabled } = card;
  switch (draft.kind) {
    case 'status-change':
      return <StatusCondition {...card} />;
    case 'data-usage':
      return (
        <>
          <Period {...card} />
          <Amount {...card} unit={<DataUnits {...card} />} />
        </>
      );
    case 'sms-mt':
    case 'sms-mo':
      return (
        <>
          <Period {...card} />
          <Amount {...card} unit="SMS" />
        </>
      );
    case 'imei-change':
      return <ImeiCondition {...card} />;
    case 'first-use':
      return (
        <>
          <Segmented
            label={t('autoflow.fields.use')}
            onChange={(use) => onChange({ unused: use === 'unused' })}
            options={(['used', 'unused'] as const).map((value) => ({
              value,
              label: t(`autoflow.uses.${value}`),
              disabled,
            }))}
            small
            value={draft.unused ? 'unused' : 'used'}
          />
          {draft.unused ? <Amount {...card} unit={t('autoflow.units.daysBefore')} /> : null}
        </>
      );
    case 'lifecycle-expiry':
      return <Amount {...card} unit={t('autoflow.units.daysBefore')} />;
    case 'silent':
      return <Amount {...card} unit={t('autoflow.units.hours')} />;
    case 'country':
      return <CountryCondition {...card} />;
    case 'sessions':
      return <Amount {...card} unit={t('autoflow.units.sessions')} />;
    case 'cost':
      return <CostCondition {...card} />;
    case 'unusual-usage':
      return <Amount {...card} unit={t('autoflow.units.median')} />;
  }
};

type AmountProps = CardProps & { unit?: ReactNode };

/** The threshold with its unit, which a narrow line does not separate. */
const Amount = ({ draft, issues, disabled, onChange, unit }: AmountProps) => {
  const { t } = useTranslation();
  return (
    <span className={styles['pair']}>
      <NumberField
        aria-label={t('autoflow.fields.amount')}
        disabled={disabled}
        onChange={(amount) => onChange({ amount })}
        precision={0}
        {...invalidIf(issues.trigger !== undefined)}
        style={{ width: 120 }}
        value={draft.amount}
      />
      {typeof unit === 'string' ? <span>{unit}</span> : unit}
    </span>
  );
};

const DataUnits = ({ draft, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('autoflow.fields.unit')}
      disabled={disabled}
      onChange={(unit) => onChange({ unit })}
      options={(['%', ...Object.keys(dataUnits)] as (typeof draft.unit)[]).map((unit) => ({
        value: unit,
        label: unit === '%' ? t('autoflow.ofLimit') : unit,
      }))}
      style={{ minWidth: 120 }}
      value={draft.unit}
    />
  );
};

const Period = ({ draft, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('autoflow.fields.period')}
      disabled={disabled}
      onChange={(period) => onChange({ period })}
      options={rulePeriods.map((value) => ({ value, label: t(`autoflow.periods.${value}`) }))}
      style={{ minWidth: 180 }}
      value={draft.period}
    />
  );
};

const StatusCondition = ({ draft, issues, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  const [fromId, toId] = [useId(), useId()];
  const states = lifecycles.map((value) => ({ value, label: t(`sim.lifecycle.${value}`) }));
  return (
    <>
      <span className={styles['pair']}>
        <label htmlFor={fromId}>{t('autoflow.fields.from')}</label>
        <Select
          disabled={disabled}
          id={fromId}
          onChange={(from) => onChange({ from, to: draft.to.filter((one) => one !== from) })}
          options={[{ value: 'any' as const, label: t('autoflow.any') }, ...states]}
          style={{ minWidth: 130 }}
          value={draft.from}
        />
      </span>
      <span className={styles['pair']}>
        <label htmlFor={toId}>{t('autoflow.fields.to')}</label>
        <Select
          disabled={disabled}
          id={toId}
          mode="multiple"
          onChange={(to) => onChange({ to })}
          {...invalidIf(issues.trigger !== undefined)}
          options={states.filter(({ value }) => value !== draft.from)}
          style={{ minWidth: 200 }}
          value={draft.to}
        />
      </span>
    </>
  );
};

const ImeiCondition = ({ draft, disabled, onChange, onUploading }: ListCardProps) => {
  const { t } = useTranslation();
  return (
    <>
      <Select
        aria-label={t('autoflow.fields.imei')}
        disabled={disabled}
        onChange={(imei) => onChange({ imei })}
        options={(['any', 'model', 'unlisted'] as const).map((value) => ({
          value,
          label: t(`autoflow.imeis.${value}`),
        }))}
        style={{ minWidth: 240 }}
        value={draft.imei}
      />
      {draft.imei === 'unlisted' ? (
        <FileField
          disabled={disabled}
          file={draft.imeis}
          kind="imeis"
          onFile={(imeis) => onChange({ imeis })}
          onUploading={onUploading}
        />
      ) : null}
    </>
  );
};

const CountryCondition = ({ draft, issues, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  const countries = useApiQuery(endpointQuery(endpoints.autoflow.countries)).data?.data ?? [];
  return (
    <>
      <Segmented
        label={t('autoflow.fields.change')}
        onChange={(change) => onChange({ change })}
        options={(['entered', 'left'] as const).map((value) => ({
          value,
          label: t(`autoflow.changes.${value}`),
          disabled,
        }))}
        small
        value={draft.change}
      />
      <Select
        aria-label={t('autoflow.fields.countries')}
        disabled={disabled}
        mode="multiple"
        onChange={(chosen: string[]) => onChange({ countries: chosen })}
        {...invalidIf(issues.trigger !== undefined)}
        optionFilterProp="label"
        options={countries.map(({ code, name }) => ({ value: code, label: name }))}
        style={{ minWidth: 260 }}
        value={draft.countries}
      />
    </>
  );
};

/** Bounds are those of minor units, which the field does not show. */
const inMajorUnits = (issue: Issue | undefined, currency: string): Issue | undefined =>
  issue && 'values' in issue
    ? {
        ...issue,
        values: Object.fromEntries(
          Object.entries(issue.values ?? {}).map(([name, bound]) => [
            name,
            Number(bound) / 10 ** minorDigits(currency),
          ]),
        ),
      }
    : issue;

const CostCondition = ({ draft, issues, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  const digits = minorDigits(draft.currency);
  const minor = 10 ** digits;
  const isCurrencyWrong = issues.trigger?.path === 'trigger.currency';
  /** Keeps the amount that is shown: a draft has minor units. */
  const changeCurrency = (currency: string): void =>
    onChange({
      currency,
      amount: draft.amount === null ? null : Math.round((draft.amount / minor) * 10 ** minorDigits(currency)),
    });
  return (
    <>
      <span className={styles['pair']}>
        <NumberField
          aria-label={t('autoflow.fields.amount')}
          disabled={disabled}
          onChange={(amount) => onChange({ amount: amount === null ? null : Math.round(amount * minor) })}
          precision={digits}
          {...invalidIf(issues.trigger !== undefined && !isCurrencyWrong)}
          style={{ width: 130 }}
          value={draft.amount === null ? null : draft.amount / minor}
        />
        <Input
          aria-label={t('autoflow.fields.currency')}
          disabled={disabled}
          maxLength={3}
          onChange={({ target }) => changeCurrency(target.value.toUpperCase())}
          {...invalidIf(isCurrencyWrong)}
          style={{ width: 70 }}
          value={draft.currency}
        />
      </span>
      <span>{t('autoflow.periods.cycle')}</span>
    </>
  );
};
