import { limits } from '@simcube/contract';
import { twoFactorProofSchema } from '@simcube/contract/identity';
import { Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, FormField } from '../../../ui/form/index.ts';

interface ProofFormProps {
  action: string;
  onCancel: () => void;
  onSubmit: (proof: { password: string; code: string }) => Promise<void>;
  /** Describes what will happen. */
  children: ReactNode;
}

export const maxCodeLength = 20;

/** Password and a code: required for weakening or renewing the second factor. */
export const ProofForm = ({ action, onCancel, onSubmit, children }: ProofFormProps) => {
  const { t } = useTranslation();
  return (
    <Form
      action={action}
      codes={{ 'CB-07-0014': 'password', 'CB-07-0010': 'code', 'CB-07-0040': 'code' }}
      initial={{ password: '', code: '' }}
      onCancel={onCancel}
      onSubmit={onSubmit}
      schema={twoFactorProofSchema}
    >
      {children}
      <FormField label={t('identity.twoFactor.password')} name="password">
        <Input.Password autoComplete="current-password" autoFocus maxLength={limits.password.max} />
      </FormField>
      <FormField label={t('identity.twoFactor.anyCode')} name="code">
        <Input autoComplete="one-time-code" maxLength={maxCodeLength} />
      </FormField>
    </Form>
  );
};
