import { endpoints, limits } from '@simcube/contract';
import { changePasswordBodySchema } from '@simcube/contract/identity';
import { useRouter } from '@tanstack/react-router';
import { Input } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiFailure, call, expectSessionEnd } from '../../lib/api-client/index.ts';
import { currentLanguage, translate } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { Dialog } from '../../ui/dialog/index.ts';
import { Form, FormField } from '../../ui/form/index.ts';
import { NewPassword } from '../../ui/new-password/index.ts';
import styles from './profile.module.css';

interface ChangePasswordDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Old password, new password, confirm password; then signed out to login (specification, sections 2, 7 and 8). */
export const ChangePasswordDialog = ({ open, onClose }: ChangePasswordDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('identity.change.title')} onClose={onClose}>
      <ChangePasswordForm onClose={onClose} />
    </Dialog>
  );
};

const ChangePasswordForm = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const change = useChangePassword();
  const schema = useMemo(
    () =>
      z
        .object({
          oldPassword: z.string().refine((text) => text !== '', t('identity.change.oldMissing')),
          password: changePasswordBodySchema.shape.password,
          confirm: z.string(),
        })
        .refine(({ password, confirm }) => password === confirm, {
          path: ['confirm'],
          message: t('identity.password.different'),
          // Reported together with errors in the password itself, not only after those were fixed.
          when: () => true,
        }),
    [t],
  );
  return (
    <Form
      action={t('identity.change.submit')}
      codes={{ 'CB-07-0014': 'oldPassword', 'CB-07-0031': 'password' }}
      initial={{ oldPassword: '', password: '', confirm: '' }}
      onCancel={onClose}
      onSubmit={change}
      schema={schema}
    >
      <p className={styles['text']}>{t('identity.change.text')}</p>
      <FormField label={t('identity.change.old')} name="oldPassword">
        <Input.Password autoComplete="current-password" maxLength={limits.password.max} />
      </FormField>
      <NewPassword confirm="confirm" label={t('identity.password.new')} />
    </Form>
  );
};

/** Resolves when the person is back at login; failures use the messages of the specification (section 8). */
const useChangePassword = () => {
  const router = useRouter();
  return async ({ oldPassword, password }: { oldPassword: string; password: string }): Promise<void> => {
    // The change ends every session, including this one: the live stream may report it before the response arrives.
    const cancelExpectation = expectSessionEnd();
    try {
      await call(endpoints.identity.changePassword, { body: { oldPassword, password }, announce: false });
    } catch (error) {
      cancelExpectation();
      toast.error(changeErrorMessage(error));
      throw error;
    }
    session.leave();
    toast.success(translate('identity.change.done'));
    router.history.replace(`/${currentLanguage()}/login`, undefined, { ignoreBlocker: true });
  };
};

/** 'passwordChange:' and the server's message; 'Interface exception' if the server sent no response. */
const changeErrorMessage = (error: unknown): string =>
  error instanceof ApiFailure && error.code !== null
    ? translate('errors.client.passwordChangeFailed', { message: error.message })
    : translate('errors.client.interfaceException');
