import { limits } from '@simcube/contract';
import { twoFactorProofSchema } from '@simcube/contract/identity';
import { Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SubmitOptions } from '../../../lib/submit/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';

interface ProofFormProps<R> extends Pick<SubmitOptions<R>, 'onDone'> {
  action: string;
  onCancel: () => void;
  onSubmit: (proof: { password: string; code: string }) => Promise<R>;
  /** Describes what will happen. */
  children: ReactNode;
}

export const maxCodeLength = 20;

/** Password and a code: required for weakening or renewing the second factor. */
export const ProofForm = <R,>({ action, onCancel, onSubmit, onDone, children }: ProofFormProps<R>) => {
  const { t } = useTranslation();
  return (
    <Form
      action={action}
      codes={{ 'CB-07-0014': 'password', 'CB-07-0010': 'code', 'CB-07-0040': 'code' }}
      initial={{ password: '', code: '' }}
      onCancel={onCancel}
      onDone={onDone}
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
