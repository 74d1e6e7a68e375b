import { endpoints } from '@simcube/contract';
import { type Account, permissionNameSchema } from '@simcube/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { refetchAccounts } from '../api/use-accounts.ts';

interface NamePermissionsDialogProps {
  open: boolean;
  account: Account;
  name: string | null;
  onClose: () => void;
}

const schema = permissionNameSchema.pick({ name: true });

/** Names the set of an account's changed permissions. */
export const NamePermissionsDialog = ({ open, account, name, onClose }: NamePermissionsDialogProps) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <Dialog onClose={onClose} open={open} title={t('account.permissions.nameTitle')}>
      <Form
        action={t('account.edit.save')}
        initial={{ name: name ?? '' }}
        onCancel={onClose}
        onDone={onClose}
        onSubmit={async ({ name: newName }) => {
          const body = { userId: account.id, name: newName === '' ? null : newName };
          await call(endpoints.account.namePermissions, { body, announce: false });
          refetchAccounts(queries);
          toast.success(t('account.permissions.saved'));
        }}
        schema={schema}
      >
        <FormField hint={t('account.permissions.nameHint')} label={t('account.permissions.name')} name="name">
          <Input autoComplete="off" />
        </FormField>
      </Form>
    </Dialog>
  );
};
