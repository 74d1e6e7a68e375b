import { endpoints, languages, limits } from '@simcube/contract';
import { newAccountBodySchema } from '@simcube/contract/account';
import { inviteBodySchema, passwordSchema } from '@simcube/contract/identity';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Input, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { NewPassword } from '../../../ui/new-password/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { useLeave } from '../../../ui/unsaved/index.ts';
import { accountsHref } from '../account-rules.ts';
import { refetchAccounts, useCanOversee, useSeats } from '../api/use-accounts.ts';
import { RoleSelect } from '../components/role-select.tsx';
import { SeatsLeft } from '../components/seats.tsx';
import styles from './new-account.module.css';

interface SentInvitation {
  email: string;
  name: string;
  withPassword: boolean;
}

type Kind = 'withName' | 'byEmail';

/** Creates an account with a name, or invites an email address; in both cases the person gets an email. */
export const NewAccountScreen = () => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const [kind, setKind] = useState<Kind>('withName');
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const leave = useLeave();
  const { data, error } = useSeats();
  const list = accountsHref(language);
  const seats = data?.data;
  const full = seats !== undefined && seats.remaining <= 0;
  // An open form stays, even if another person takes the last seat meanwhile: what was typed would be lost.
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen && sent === null && !full && (seats || error)) setIsOpen(true);
  return (
    <Page
      facts={<SeatsLeft />}
      parent={
        <>
          <Link href={list}>{t('account.title')}</Link> ›
        </>
      }
      title={t('account.create.title')}
    >
      <Card className={styles['card']}>
        {sent ? (
          <SentConfirmation
            list={list}
            onInviteAnother={() => {
              setSent(null);
              setIsOpen(false);
            }}
            sent={sent}
          />
        ) : null}
        {full && !isOpen && !sent ? (
          <Empty
            action={<Link href={list}>{t('account.create.toAccounts')}</Link>}
            hint={t('account.create.seatsFull', { limit: count(seats.limit) })}
            title={t('errors.accountsMaximum')}
          />
        ) : null}
        {isOpen || full || sent ? null : <Loading rows={6} />}
        {isOpen && !sent ? (
          <>
            <Refusal
              reason={full ? t('account.create.seatsFull', { limit: count(seats.limit) }) : undefined}
            />
            <Segmented
              label={t('account.create.kind')}
              onChange={(next) => leave(() => setKind(next))}
              options={(['withName', 'byEmail'] as const).map((value) => ({
                value,
                label: t(`account.create.${value}`),
              }))}
              value={kind}
            />
            <p className={styles['hint']}>{t(`account.create.${kind}Hint`)}</p>
            {kind === 'withName' ? <WithName onSent={setSent} /> : <InviteByEmail onSent={setSent} />}
          </>
        ) : null}
      </Card>
    </Page>
  );
};

/** Server errors that concern one field. */
const codes = {
  'CB-07-0017': 'email',
  'CB-07-0018': 'email',
  'CB-07-0019': 'role',
  'CB-07-0035': 'oversight',
} as const;

/** An empty field means no password: the person sets one when accepting. */
const withNameSchema = newAccountBodySchema.extend({
  password: z.preprocess((typed) => (typed === '' ? undefined : typed), passwordSchema.optional()),
});

const WithName = ({ onSent }: { onSent: (sent: SentInvitation) => void }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const queries = useQueryClient();
  return (
    <Form
      action={t('account.create.submitWithName')}
      codes={codes}
      initial={{ role: 'user', locale: language, oversight: false }}
      onDone={onSent}
      onSubmit={async (body) => {
        await call(endpoints.account.create, { body, announce: false });
        refetchAccounts(queries);
        const { email, password, first_name: first, last_name: last } = body;
        return { email, name: `${first} ${last}`, withPassword: password !== undefined };
      }}
      schema={withNameSchema}
    >
      <div className={styles['pair']}>
        <FormField label={t('account.fields.firstName')} name="first_name">
          <Input autoComplete="off" />
        </FormField>
        <FormField label={t('account.fields.lastName')} name="last_name">
          <Input autoComplete="off" />
        </FormField>
      </div>
      <Common locale="locale" />
      <NewPassword label={t('account.fields.password')} />
      <p className={styles['hint']}>{t('account.create.passwordHint')}</p>
    </Form>
  );
};

const emailOnlySchema = inviteBodySchema.pick({ email: true, role: true, language: true, oversight: true });

const InviteByEmail = ({ onSent }: { onSent: (sent: SentInvitation) => void }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const queries = useQueryClient();
  return (
    <Form
      action={t('account.create.submitByEmail')}
      codes={codes}
      initial={{ role: 'user', language, oversight: false }}
      onDone={onSent}
      onSubmit={async (body) => {
        await call(endpoints.identity.invite, { body, announce: false });
        refetchAccounts(queries);
        return { email: body.email, name: body.email, withPassword: false };
      }}
      schema={emailOnlySchema}
    >
      <Common locale="language" />
    </Form>
  );
};

/** The fields of both forms. */
const Common = ({ locale }: { locale: 'locale' | 'language' }) => {
  const { t } = useTranslation();
  const canOversee = useCanOversee();
  return (
    <>
      <FormField label={t('account.fields.email')} name="email">
        <Input autoComplete="off" inputMode="email" />
      </FormField>
      <div className={styles['pair']}>
        <FormField label={t('account.fields.role')} name="role">
          <RoleSelect />
        </FormField>
        <FormField hint={t('account.languageHint')} label={t('account.fields.language')} name={locale}>
          <Select options={languages.map((value) => ({ value, label: t(`common.languages.${value}`) }))} />
        </FormField>
      </div>
      {canOversee ? (
        <FormField hint={t('account.oversightHint')} label={t('account.fields.oversight')} name="oversight">
          <Switch size="small" />
        </FormField>
      ) : null}
    </>
  );
};

const SentConfirmation = ({
  sent,
  list,
  onInviteAnother,
}: {
  sent: SentInvitation;
  list: string;
  onInviteAnother: () => void;
}) => {
  const { t } = useTranslation();
  const { email, name, withPassword } = sent;
  return (
    <div role="status">
      <Empty
        action={
          <span className={styles['actions']}>
            <Button onClick={onInviteAnother}>{t('account.create.another')}</Button>
            <Link href={list}>{t('account.create.toAccounts')}</Link>
          </span>
        }
        hint={
          <>
            {t('account.create.sentText', { email, name, days: limits.invitationDays })}
            {withPassword ? ` ${t('account.create.sentPassword')}` : null}
          </>
        }
        title={t('account.create.sentTitle')}
      />
    </div>
  );
};
