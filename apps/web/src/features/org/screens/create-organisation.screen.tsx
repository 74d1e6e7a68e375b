import { endpoints, limits } from '@simcube/contract';
import { newOrganisationBodySchema, type Organisation } from '@simcube/contract/org';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure, Refusal } from '../../../ui/failure/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { refetchOrganisations, useSubOrganisations } from '../api.ts';
import { CountrySelect } from '../components/country-select.tsx';
import { QuotaFields, useQuotaRule } from '../components/quota-fields.tsx';
import { isAdminHere } from '../org-context.ts';
import { quotaFields, quotaOf } from '../quota-fields.ts';
import { useSwitchOrganisation } from '../use-switch-organisation.ts';
import styles from './create-organisation.module.css';

/** What each limit says, and its number where the response does not contain it. */
const limitTexts = {
  sub_organisations: { title: 'org.create.fullTitle', text: 'org.create.fullText', limit: undefined },
  levels: {
    title: 'org.create.deepestTitle',
    text: 'org.create.deepestText',
    limit: limits.organisationLevels,
  },
  memberships: {
    title: 'org.create.personFullTitle',
    text: 'org.create.personFullText',
    limit: limits.organisationsPerPerson,
  },
} as const;

/** Creates an organisation below the current one. */
export const CreateOrganisationScreen = () => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const current = session.currentMembership();
  const admin = isAdminHere();
  const name = current?.name ?? '';
  const { data, error, refetch } = useSubOrganisations(current?.code ?? '');
  const [created, setCreated] = useState<Organisation | null>(null);
  const listHref = `/${language}/orgs`;
  const allowance = data?.data;
  const reached = allowance?.limited_by ? limitTexts[allowance.limited_by] : undefined;
  // An open form stays, even if a limit is reached meanwhile: what was typed would be lost.
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen && allowance && !reached) setIsOpen(true);
  const content = (): ReactNode => {
    if (created) return <Created listHref={listHref} created={created} />;
    if (!admin) {
      return <Empty hint={t('org.create.notAdminHint', { name })} title={t('org.create.notAdmin')} />;
    }
    if (error && !allowance) return <Failure error={error} onRetry={() => void refetch()} />;
    if (!allowance) return <Loading rows={6} />;
    const reason = reached && t(reached.text, { limit: count(reached.limit ?? allowance.limit), name });
    if (reached && !isOpen) return <Empty hint={reason} title={t(reached.title, { name })} />;
    return (
      <>
        <Refusal reason={reason} />
        <CreateForm cap={allowance.sms_quota_messages} onCreated={setCreated} parent={name} />
      </>
    );
  };
  return (
    <Page
      facts={
        <>
          <span>{t('org.create.below', { name })}</span>
          {allowance && admin ? (
            <span>
              {t('org.create.remaining', {
                count: allowance.remaining,
                limit: count(allowance.limit),
              })}
            </span>
          ) : null}
        </>
      }
      parent={
        <>
          <Link href={listHref}>{t('shell.organisations.title')}</Link> ›
        </>
      }
      title={t('org.create.title')}
    >
      <Card className={styles['card']}>{content()}</Card>
    </Page>
  );
};

interface CreateFormProps {
  parent: string;
  cap: number | null;
  onCreated: (created: Organisation) => void;
}

const fields = newOrganisationBodySchema.pick({ name: true, country: true }).extend(quotaFields);

const CreateForm = ({ parent, cap, onCreated }: CreateFormProps) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const schema = fields.superRefine(useQuotaRule(cap));
  return (
    <Form
      action={t('org.create.submit')}
      codes={{ 'CB-07-0135': 'name', 'CB-07-0030': 'quota' }}
      initial={{ quota: 'inherit' }}
      onDone={onCreated}
      onSubmit={async ({ name, country, quota, messages }) => {
        const body = { name, country, sms_quota: quotaOf({ quota, messages }) };
        const { data } = await call(endpoints.org.create, { body, announce: false });
        refetchOrganisations(queries);
        return data;
      }}
      schema={schema}
    >
      <FormField hint={t('org.nameHint', limits.organisationName)} label={t('org.fields.name')} name="name">
        <Input autoComplete="organization" />
      </FormField>
      <FormField label={t('org.fields.country')} name="country">
        <CountrySelect />
      </FormField>
      <QuotaFields cap={cap} parent={parent} />
      <p className={styles['hint']}>{t('org.create.overseersHint')}</p>
    </Form>
  );
};

const Created = ({ created, listHref }: { created: Organisation; listHref: string }) => {
  const { t } = useTranslation();
  const switchTo = useSwitchOrganisation();
  const { name, code } = created;
  return (
    <div role="status">
      <Empty
        action={
          <span className={styles['actions']}>
            <Button onClick={() => switchTo(created)} type="primary">
              {t('org.create.switchTo', { name })}
            </Button>
            <Link href={listHref}>{t('org.create.toList')}</Link>
          </span>
        }
        hint={t('org.create.createdText', { code })}
        title={t('org.create.createdTitle', { name })}
      />
    </div>
  );
};
