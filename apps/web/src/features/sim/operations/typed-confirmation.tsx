import { Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogField } from '../../../ui/dialog/index.ts';
import type { Target } from './operation.ts';

/** The text to type before an irreversible operation: the end of the single ICCID, or the number of SIMs. */
export const confirmationText = ({ iccid }: Target, count: number): string =>
  iccid?.slice(-6) ?? String(count);

interface TypedConfirmationProps {
  target: Target;
  expectedText: string;
  value: string;
  disabled: boolean;
  onChange: (text: string) => void;
}

export const TypedConfirmation = ({
  target,
  expectedText,
  value,
  disabled,
  onChange,
}: TypedConfirmationProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <DialogField
      htmlFor={id}
      label={t(target.iccid ? 'operations.confirmIccid' : 'operations.confirmCount', { word: expectedText })}
    >
      <Input
        autoComplete="off"
        autoFocus
        disabled={disabled}
        id={id}
        // The last characters of an ICCID may be letters.
        inputMode={/^\d+$/.test(expectedText) ? 'numeric' : 'text'}
        onChange={({ target: field }) => onChange(field.value)}
        value={value}
      />
    </DialogField>
  );
};
