import {
  endpoints,
  type IssueKey,
  isGrantableToKey,
  type PermissionKey,
  permissionKeys,
} from '@simcube/contract';
import { apiKeyBodySchema, type KeyRights } from '@simcube/contract/developer';
import { dayMs } from '@simcube/contract/time';
import { Checkbox, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { now } from '../../../lib/time/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField, useFormValue } from '../../../ui/form/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import styles from '../developer.module.css';
import { type CreatedKey, useRefetchKeys } from './use-keys.ts';

const lifetimes = ['never', '30', '90', '365'] as const;
const permissionScopes = ['all', 'some'] as const;
const actions = ['read', 'operate', 'write'] as const;

const noPermissions: IssueKey = 'required';

const keyFormSchema = z.strictObject({
  name: z.union([z.literal(''), apiKeyBodySchema.shape.name.unwrap()]),
  lifetime: z.enum(lifetimes),
  extent: z.enum(permissionScopes),
  rights: apiKeyBodySchema.shape.rights
    .unwrap()
    .refine((rights) => Object.keys(rights).length > 0, noPermissions)
    .optional(),
});
type KeyForm = z.output<typeof keyFormSchema>;

interface KeyDialogProps {
  open: boolean;
  onCreated: (key: CreatedKey) => void;
  onClose: () => void;
}

/** Creates a key: its name, its validity, and its permissions among the account's. */
export const KeyDialog = ({ open, ...form }: KeyDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={form.onClose} open={open} title={t('developer.keys.new')} width={560}>
      <KeyForm {...form} />
    </Dialog>
  );
};

const KeyForm = ({ onCreated, onClose }: Omit<KeyDialogProps, 'open'>) => {
  const { t } = useTranslation();
  const refetch = useRefetchKeys();
  const submit = async (form: KeyForm): Promise<CreatedKey> => {
    const { data } = await call(endpoints.developer.createKey, { body: bodyOf(form), announce: false });
    void refetch();
    return data;
  };
  return (
    <Form
      action={t('developer.keys.make')}
      initial={{ name: '', lifetime: 'never', extent: 'all', rights: {} }}
      onCancel={onClose}
      onDone={onCreated}
      onSubmit={submit}
      schema={keyFormSchema}
    >
      <FormField hint={t('developer.keys.nameHint')} label={t('developer.keys.name')} name="name">
        <Input autoComplete="off" autoFocus />
      </FormField>
      <FormField label={t('developer.keys.lifetime')} name="lifetime">
        <Choice
          label={t('developer.keys.lifetime')}
          options={lifetimes.map((value) => ({ value, label: t(`developer.keys.lifetimes.${value}`) }))}
        />
      </FormField>
      <FormField label={t('developer.keys.rights')} name="extent">
        <Choice
          label={t('developer.keys.rights')}
          options={permissionScopes.map((value) => ({ value, label: t(`developer.keys.extents.${value}`) }))}
        />
      </FormField>
      <SelectedPermissions />
    </Form>
  );
};

const bodyOf = ({ name, lifetime, extent, rights }: KeyForm) => ({
  ...(name === '' ? {} : { name }),
  ...(lifetime === 'never' ? {} : { expires_at: new Date(now() + Number(lifetime) * dayMs).toISOString() }),
  ...(extent === 'all' ? {} : { rights: rights ?? {} }),
});

interface ChoiceProps<V extends string> {
  label: string;
  options: readonly { value: V; label: string }[];
  value?: V;
  onChange?: (value: V) => void;
}

/** A `Segmented` that gets its value from its form field. */
const Choice = <V extends string>({ onChange, value, ...rest }: ChoiceProps<V>) => {
  const [first] = rest.options;
  const chosen = value ?? first?.value;
  if (chosen === undefined) return null;
  return <Segmented {...rest} onChange={(next) => onChange?.(next)} value={chosen} />;
};

/** The permission matrix, if not all were chosen. */
const SelectedPermissions = () => {
  const { t } = useTranslation();
  const extent = useFormValue('extent');
  if (extent !== 'some') return null;
  return (
    <FormField
      hint={session.can('account', 'write') ? t('developer.keys.accountHint') : undefined}
      label={t('developer.keys.some')}
      name="rights"
    >
      <PermissionsField />
    </FormField>
  );
};

const PermissionsField = ({
  value = {},
  onChange,
}: {
  value?: KeyRights;
  onChange?: (rights: KeyRights) => void;
}) => {
  const { t } = useTranslation();
  const id = useId();
  const toggle = (key: PermissionKey, action: (typeof actions)[number], on: boolean): void => {
    const chosen = (value[key] ?? []).filter((one) => one !== action);
    const next = on ? [...chosen, action] : chosen;
    const { [key]: _, ...others } = value;
    onChange?.(next.length > 0 ? { ...others, [key]: next } : others);
  };
  return (
    <table className={styles['rights']}>
      <thead>
        <tr>
          <th scope="col">{t('account.permissions.area')}</th>
          {actions.map((action) => (
            <th key={action} scope="col">
              {t(`account.permissions.actions.${action}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissionKeys
          .filter((key) => session.can(key))
          .map((key) => (
            <tr key={key}>
              <th id={`${id}-${key}`} scope="row">
                {t(`account.permissions.keys.${key}`)}
              </th>
              {actions.map((action) => (
                <td key={action}>
                  <Checkbox
                    aria-label={t('account.permissions.cell', {
                      action: t(`account.permissions.actions.${action}`),
                      area: t(`account.permissions.keys.${key}`),
                    })}
                    checked={value[key]?.includes(action) ?? false}
                    disabled={!session.can(key, action) || !isGrantableToKey(key, action)}
                    onChange={({ target }) => toggle(key, action, target.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
};
