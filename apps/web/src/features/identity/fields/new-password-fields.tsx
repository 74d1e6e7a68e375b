import { limits } from '@simcube/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordGenerator } from '../../../ui/password-generator/index.ts';
import { PasswordField } from './text-field.tsx';

export interface NewPasswordValues {
  password: string;
  confirm: string;
}

interface NewPasswordFieldsProps {
  values: NewPasswordValues;
  problems: Partial<Record<keyof NewPasswordValues, string>>;
  onChange: (next: Partial<NewPasswordValues>) => void;
}

/** Two fields for a new password, with a generator that fills and reveals both. */
export const NewPasswordFields = ({ values, problems, onChange }: NewPasswordFieldsProps) => {
  const { t } = useTranslation();
  /** Number of generated passwords: each reveals the fields again, even if they were hidden since. */
  const [generated, setGenerated] = useState(0);
  const both = { shown: generated > 0, autoComplete: 'new-password' } as const;
  return (
    <>
      <PasswordField
        {...both}
        key={`password-${generated}`}
        label={t('identity.password.new')}
        hint={t('errors.issues.passwordRule', limits.password)}
        value={values.password}
        problem={problems.password}
        onChange={(password) => onChange({ password })}
      />
      <PasswordField
        {...both}
        key={`confirm-${generated}`}
        name="confirm"
        label={t('identity.password.confirm')}
        value={values.confirm}
        problem={problems.confirm}
        onChange={(confirm) => onChange({ confirm })}
      />
      <PasswordGenerator
        value={values.password}
        onGenerate={(password) => {
          setGenerated(generated + 1);
          onChange({ password, confirm: password });
        }}
      />
    </>
  );
};
