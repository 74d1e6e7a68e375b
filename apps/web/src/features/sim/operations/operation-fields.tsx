import { endpoints, limits } from '@simcube/contract';
import { useQuery } from '@tanstack/react-query';
import { Input } from 'antd';
import { useEffect, useEffectEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { BundleFields } from './bundle-fields.tsx';
import type { OperationValues, PlainOperation, Target } from './operation.ts';
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
  const current = useCurrentValues(name, target);
  const isLoaded = current !== undefined;
  // Starts with a single SIM's values, applied only once, because its response changes whenever it uses data. Several SIMs have
  // no common values.
  const prefill = useEffectEvent(() => {
    if (!current || hasChanges(values, undefined)) return;
    if (name === 'deviceName') onChange({ device_name: current.device_name });
    if (name === 'notes') onChange({ notes: current.notes });
  });
  useEffect(() => {
    if (isLoaded) prefill();
  }, [isLoaded]);
  useDraft(() => !disabled && hasChanges(values, current));
  switch (name) {
    case 'deviceName':
      return (
        <TextValueField
          disabled={disabled}
          label="operations.fields.deviceName"
          max={limits.deviceName.max}
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
          max={limits.notes.max}
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
  current: ReturnType<typeof useCurrentValues>,
): boolean =>
  add.length + remove.length > 0 ||
  (name !== null && name !== current?.device_name) ||
  (notes !== null && notes !== current?.notes);

/** The current values of a single SIM; undefined for several, and until they are loaded. */
const useCurrentValues = (name: PlainOperation, { iccid }: Target) => {
  const { data } = useQuery({
    ...endpointQuery(endpoints.sim.basic, { query: { iccid: iccid ?? '' } }),
    enabled: iccid !== undefined && ['deviceName', 'notes', 'tags'].includes(name),
  });
  return data?.data;
};

interface TextValueFieldProps {
  label: 'operations.fields.deviceName' | 'operations.fields.notes';
  value: string | null;
  max: number;
  multiline?: boolean;
  disabled: boolean;
  onChange: (text: string | null) => void;
}

const TextValueField = ({
  label,
  value,
  max,
  multiline = false,
  disabled,
  onChange,
}: TextValueFieldProps) => {
  const { t } = useTranslation();
  const id = useId();
  const control = {
    'aria-describedby': `${id}-hint`,
    autoFocus: true,
    disabled,
    id,
    maxLength: max,
    onChange: ({ target: { value: text } }: { target: { value: string } }) =>
      onChange(text.trim() === '' ? null : text),
    showCount: true,
    value: value ?? '',
  };
  return (
    <DialogField htmlFor={id} label={t(label)}>
      {multiline ? <Input.TextArea {...control} rows={4} /> : <Input {...control} />}
      <span className={styles['hint']} id={`${id}-hint`}>
        {t('operations.emptyClears')}
      </span>
    </DialogField>
  );
};
