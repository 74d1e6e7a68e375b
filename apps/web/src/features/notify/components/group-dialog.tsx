import { limits, phoneSchema } from '@simcube/contract';
import { emailSchema } from '@simcube/contract/identity';
import { addressGroupBodySchema, apiTargetBodySchema, smsGroupBodySchema } from '@simcube/contract/notify';
import { useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../lib/toast/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField, TextList } from '../../../ui/form/index.ts';
import {
  type Group,
  type GroupDraft,
  type GroupKind,
  refetchGroups,
  type SavedGroup,
  saveGroup,
} from '../api/groups.ts';
import { mayChange } from '../may-change.ts';
import styles from './groups.module.css';

interface GroupDialogProps {
  kind: GroupKind;
  group: Group | undefined;
  /** Shown instead while there is no group. */
  fallback: ReactNode;
  /** A new group is being created. The dialog is closed without a group, `fallback` or this. */
  isCreating: boolean;
  onClose: () => void;
  /** Called with the secret of a new API target, which is shown only once. */
  onSecret: (secret: string) => void;
}

/** Creates or changes a group; people who may not change it see all of its addresses here. */
export const GroupDialog = ({ kind, group, fallback, isCreating, onClose, onSecret }: GroupDialogProps) => {
  const { t } = useTranslation();
  const titleOf = (one: Group): string => (mayChange() ? t('notify.edit', { name: one.name }) : one.name);
  const defaultTitle = isCreating ? t(`notify.create.${kind}`) : t(`notify.label.${kind}`);
  const content = (): ReactNode => {
    if (!group && !isCreating) return fallback;
    if (!mayChange()) return <AddressList group={group} kind={kind} />;
    return <GroupForm group={group} kind={kind} onClose={onClose} onSecret={onSecret} />;
  };
  return (
    <Dialog
      onClose={onClose}
      open={group !== undefined || isCreating || fallback !== null}
      title={group ? titleOf(group) : defaultTitle}
      width={520}
    >
      {content()}
    </Dialog>
  );
};

const AddressList = ({ group, kind }: Pick<GroupDialogProps, 'group' | 'kind'>) => {
  const { t } = useTranslation();
  return (
    <ul aria-label={t(`notify.addresses.${kind}`)} className={styles['addresses']}>
      {group?.addresses.map((address) => (
        <li key={address}>{address}</li>
      ))}
    </ul>
  );
};

const GroupForm = ({
  kind,
  group,
  onClose,
  onSecret,
}: Pick<GroupDialogProps, 'kind' | 'group' | 'onClose' | 'onSecret'>) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  // The version being edited: prevents overwriting what another person saved in the meantime.
  const [edited] = useState(group);
  const save = async (draft: GroupDraft): Promise<SavedGroup> => {
    // Even if it failed: the target may have been changed or removed in the meantime.
    const saved = await saveGroup(kind, draft, edited).finally(() => refetchGroups(queries));
    toast.success(t(group ? 'notify.saved' : 'notify.made', { name: saved.name }));
    return saved;
  };
  const formProps = {
    action: t(group ? 'notify.save' : 'notify.make'),
    codes: { 'CB-09-0016': 'name' } as const,
    onCancel: onClose,
    onDone: ({ secret }: SavedGroup) => {
      onClose();
      if (secret !== undefined) onSecret(secret);
    },
  };
  const addresses = [...(group?.addresses ?? [])];
  const name = (
    <FormField label={t('notify.fields.name')} name="name">
      <Input autoComplete="off" autoFocus={!group} />
    </FormField>
  );
  if (kind === 'api') {
    return (
      <Form
        {...formProps}
        initial={{ name: group?.name ?? '', url: addresses[0] ?? '' }}
        onSubmit={({ name: chosen, url }) => save({ name: chosen, addresses: [url] })}
        schema={apiTargetBodySchema}
      >
        {name}
        <FormField hint={t('notify.hint.api')} label={t('notify.addresses.api')} name="url">
          <Input autoComplete="off" inputMode="url" />
        </FormField>
      </Form>
    );
  }
  if (kind === 'sms') {
    return (
      <Form
        {...formProps}
        initial={{ name: group?.name ?? '', phones: addresses }}
        onSubmit={({ phones, ...rest }) => save({ ...rest, addresses: phones })}
        schema={smsGroupBodySchema}
      >
        {name}
        <FormField
          hint={t('notify.hint.sms', { max: limits.addressGroups.phones })}
          label={t('notify.addresses.sms')}
          name="phones"
        >
          <TextList isWrong={(text) => !phoneSchema.safeParse(text).success} separators={phoneSeparators} />
        </FormField>
      </Form>
    );
  }
  return (
    <Form
      {...formProps}
      initial={{ name: group?.name ?? '', emails: addresses }}
      onSubmit={({ emails, ...rest }) => save({ ...rest, addresses: emails })}
      schema={addressGroupBodySchema}
    >
      {name}
      <FormField
        hint={t('notify.hint.email', { max: limits.addressGroups.emails })}
        label={t('notify.addresses.email')}
        name="emails"
      >
        <TextList
          isWrong={(text) => !emailSchema.safeParse(text).success}
          read={parseMailboxes}
          separators={emailSeparators}
        />
      </FormField>
    </Form>
  );
};

/** Separators of table columns and lines, and those of lists in mail programs. */
const phoneSeparators = [',', ';', '，', '；', '、', '\t', '\n'];
const emailSeparators = [...phoneSeparators, ' '];

/** Addresses in angle brackets without the names before them, as mail programs write them (RFC 5322, 3.4). */
const parseMailboxes = (parts: readonly string[]): string[] => {
  const mailboxes: string[] = [];
  let nameParts: string[] = [];
  for (const part of parts) {
    const [, address] = /^<(.*)>$/.exec(part) ?? [];
    if (address === undefined && !part.includes('@')) nameParts.push(part);
    else {
      mailboxes.push(...(address === undefined ? [...nameParts, part] : [address]));
      nameParts = [];
    }
  }
  // As they are stored: the same address in other letters is no second one.
  return [...mailboxes, ...nameParts].map((mailbox) => mailbox.toLowerCase());
};
