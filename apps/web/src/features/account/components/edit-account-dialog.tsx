import { endpoints, languages } from '@simcube/contract';
import { type Account, accountBodySchema } from '@simcube/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { isOwn, nameOf } from '../account-rules.ts';
import { refetchAccounts } from '../api/use-accounts.ts';
import { RoleSelect } from './role-select.tsx';

interface EditProps {
  /** The dialog is closed if undefined. */
  account: Account | undefined;
  onClose: () => void;
}

/** Name, role and language of an account. */
export const EditAccountDialog = ({ account, onClose }: EditProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      onClose={onClose}
      open={account !== undefined}
      title={account ? t('account.edit.title', { name: nameOf(account) }) : null}
    >
      {account ? <EditForm account={account} onClose={onClose} /> : null}
    </Dialog>
  );
};

const EditForm = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const isFixed = account.fixed.includes('person');
  return (
    <Form
      action={t('account.edit.save')}
      codes={{ 'CB-07-0019': 'role', 'CB-07-0021': 'role' }}
      initial={account}
      onCancel={onClose}
      onDone={onClose}
      onSubmit={async (body) => {
        const { data } = await call(endpoints.account.update, {
          params: { userId: account.id },
          body,
          announce: false,
        });
        refetchAccounts(queries);
        toast.success(t('account.done.saved', { name: nameOf(data) }));
      }}
      schema={accountBodySchema}
    >
      <FormField label={t('account.fields.firstName')} name="first_name">
        <Input autoComplete="off" disabled={isFixed} />
      </FormField>
      <FormField label={t('account.fields.lastName')} name="last_name">
        <Input autoComplete="off" disabled={isFixed} />
      </FormField>
      <FormField label={t('account.fields.role')} name="role">
        <RoleSelect disabled={isOwn(account)} />
      </FormField>
      <FormField
        hint={isFixed ? t('account.fixed.person') : undefined}
        label={t('account.fields.language')}
        name="locale"
      >
        <Select
          disabled={isFixed}
          options={languages.map((value) => ({ value, label: t(`common.languages.${value}`) }))}
        />
      </FormField>
    </Form>
  );
};
