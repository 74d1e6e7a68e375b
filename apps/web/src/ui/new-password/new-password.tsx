import { limits } from '@simcube/contract';
import { Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormField, useFormFill, useFormValue } from '../form/index.ts';
import { PasswordGenerator } from '../password-generator/index.ts';
import styles from './new-password.module.css';

export interface NewPasswordProps {
  label: string;
  /** Field of the form's schema. */
  name?: string;
  /** Field that repeats it; not needed if the password is shown to the person who sets it. */
  confirm?: string;
}

/** Input for a new password with a generator, for a `Form` of the kit; its rule is in the form's schema. */
export const NewPassword = ({ label, name = 'password', confirm }: NewPasswordProps) => {
  const { t } = useTranslation();
  const fill = useFormFill();
  const value = useFormValue(name);
  const [visible, setVisible] = useState(false);
  const input = (
    <Input.Password
      autoComplete="new-password"
      maxLength={limits.password.max}
      visibilityToggle={{ visible, onVisibleChange: setVisible }}
    />
  );
  return (
    <>
      <FormField hint={t('errors.issues.passwordRule', limits.password)} label={label} name={name}>
        {input}
      </FormField>
      {confirm === undefined ? null : (
        <FormField dependsOn={[name]} label={t('identity.password.confirm')} name={confirm}>
          {input}
        </FormField>
      )}
      <div className={styles['generator']}>
        <PasswordGenerator
          value={typeof value === 'string' ? value : ''}
          onGenerate={(password) => {
            setVisible(true);
            fill(confirm === undefined ? { [name]: password } : { [name]: password, [confirm]: password });
          }}
        />
      </div>
    </>
  );
};
