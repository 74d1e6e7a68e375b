import { endpoints, limits, toInputIssues } from '@simcube/contract';
import type { SimBasic } from '@simcube/contract/sim';
import { Input } from 'antd';
import { useEffect, useEffectEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { BundleFields } from './bundle-fields.tsx';
import { isText, type OperationValues, type PlainOperation, type Target, textSchemas } from './operation.ts';
import styles from './operations.module.css';
import { TagFields } from './tag-fields.tsx';

interface FieldsProps {
  name: PlainOperation;
  target: Target;
  values: OperationValues;
  disabled: boolean;
  onChange: (values: OperationValues) => void;
}

/** The input fields of the operation; most have none. */
export const OperationFields = ({ name, target, values, disabled, onChange }: FieldsProps) => {
  const { current, error, refetch } = useCurrentValues(name, target);
  const isLoaded = current !== undefined;
  // Starts with a single SIM's values, applied only once, because its response changes whenever it uses data. Several SIMs have
  // no common values.
  const prefill = useEffectEvent(() => {
    if (name === 'deviceName') onChange({ device_name: current?.device_name ?? null });
    if (name === 'notes') onChange({ notes: current?.notes ?? null });
  });
  useEffect(() => {
    if (isLoaded) prefill();
  }, [isLoaded]);
  useDraft(() => hasChanges(values, current));
  // What has not been shown must not be replaced.
  if (isText(name) && target.iccid !== undefined && !isLoaded) {
    return error ? <Failure error={error} onRetry={() => void refetch()} small /> : <Loading rows={2} />;
  }
  switch (name) {
    case 'deviceName':
      return (
        <TextValueField
          disabled={disabled}
          label="operations.fields.deviceName"
          name="deviceName"
          onChange={(text) => onChange({ device_name: text })}
          value={values.device_name ?? null}
        />
      );
    case 'notes':
      return (
        <TextValueField
          disabled={disabled}
          label="operations.fields.notes"
          multiline
          name="notes"
          onChange={(text) => onChange({ notes: text })}
          value={values.notes ?? null}
        />
      );
    case 'tags':
      return (
        <TagFields disabled={disabled} currentTags={current?.tags} onChange={onChange} values={values} />
      );
    case 'topUp':
    case 'changeBundle':
      return <BundleFields disabled={disabled} name={name} onChange={onChange} values={values} />;
    default:
      return null;
  }
};

/** Whether something was typed that differs from the single SIM's values. */
const hasChanges = (
  { device_name: name = null, notes = null, add = [], remove = [] }: OperationValues,
  current: SimBasic | undefined,
): boolean =>
  add.length + remove.length > 0 ||
  (name !== null && name !== current?.device_name) ||
  (notes !== null && notes !== current?.notes);

/** The current values of a single SIM; undefined for several, and until they are loaded. */
const useCurrentValues = (name: PlainOperation, { iccid }: Target) => {
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(endpoints.sim.basic, { query: { iccid: iccid ?? '' } }),
    enabled: iccid !== undefined && (isText(name) || name === 'tags'),
  });
  return { current: data?.data, error, refetch };
};

interface TextValueFieldProps {
  label: 'operations.fields.deviceName' | 'operations.fields.notes';
  name: 'deviceName' | 'notes';
  value: string | null;
  multiline?: boolean;
  disabled: boolean;
  onChange: (text: string | null) => void;
}

const TextValueField = ({
  label,
  name,
  value,
  multiline = false,
  disabled,
  onChange,
}: TextValueFieldProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [issue] = textSchemas[name].safeParse(value).error?.issues.flatMap(toInputIssues) ?? [];
  const control = {
    'aria-describedby': `${id}-hint`,
    'aria-invalid': issue !== undefined,
    autoFocus: true,
    // What is pasted is not cut off.
    count: { max: limits[name].max, show: true, strategy: (text: string) => [...text].length },
    disabled,
    id,
    onChange: ({ target: { value: text } }: { target: { value: string } }) =>
      onChange(text.trim() === '' ? null : text),
    ...(issue ? { status: 'error' as const } : {}),
    value: value ?? '',
  };
  return (
    <DialogField htmlFor={id} label={t(label)}>
      {multiline ? <Input.TextArea {...control} rows={4} /> : <Input {...control} />}
      <span className={styles['hint']} data-bad={issue !== undefined} id={`${id}-hint`}>
        {issue ? t(`errors.issues.${issue.key}`, { ...issue.values }) : t('operations.emptyClears')}
      </span>
    </DialogField>
  );
};
