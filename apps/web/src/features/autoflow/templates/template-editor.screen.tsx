import { endpoints } from '@simcube/contract';
import type { AutoflowTemplate } from '@simcube/contract/autoflow';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useSession } from '../../../lib/session/index.ts';
import { useSubmit } from '../../../lib/submit/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure, Refusal } from '../../../ui/failure/index.ts';
import { focusFirstInvalid } from '../../../ui/focus/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { useOpenRow } from '../../../ui/list-screen/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { templatesHref } from '../addresses.ts';
import styles from '../autoflow.module.css';
import { IssueMessage } from '../editor/card-parts.tsx';
import { mayWrite } from '../may-write.ts';
import { ExampleTryOut } from '../try-out/example-try-out.tsx';
import { type TemplateDraft, templateDraftOf, validateTemplate } from './template-draft.ts';
import { TextsCard } from './texts-card.tsx';
import { refetchTemplates, useEditedTemplates } from './use-templates.ts';

const idOf = ({ id }: AutoflowTemplate): string => id;

/** Creates a template, or changes the one with the id. */
export const TemplateEditor = ({ templateId }: { templateId: string | undefined }) => {
  const { t } = useTranslation();
  useSession('rolesInfo');
  const { data, error, refetch } = useEditedTemplates(templateId !== undefined);
  const template = useOpenRow(data?.data, templateId, idOf);
  if (templateId === undefined || template) return <Editor template={template} />;
  return (
    <Page parent={<ToTemplates />} title={t('autoflow.templates.one')}>
      {data ? (
        <Card>
          <Empty hint={t('autoflow.missingHint')} title={t('autoflow.templates.missing')} />
        </Card>
      ) : null}
      {error && !data ? (
        <Card>
          <Failure error={error} onRetry={() => void refetch()} />
        </Card>
      ) : null}
      {data || error ? null : (
        <Card>
          <Loading rows={8} />
        </Card>
      )}
    </Page>
  );
};

const ToTemplates = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <Link href={templatesHref(language)}>{t('autoflow.templates.title')}</Link> ›
    </>
  );
};

const Editor = ({ template }: { template: AutoflowTemplate | undefined }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useId();
  // The version being edited: prevents overwriting what another person saved in the meantime.
  const [version] = useState(template?.version);
  const [base] = useState(() => templateDraftOf(template));
  const [draft, setDraft] = useState(base);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const {
    sending: busy,
    refusal,
    submit,
  } = useSubmit({
    onDone: () => navigate({ href: templatesHref(language), ignoreBlocker: true }),
  });
  useDraft(() => JSON.stringify(draft) !== JSON.stringify(base) && !busy);
  const result = validateTemplate(draft);
  const issues = wasSubmitted && 'issues' in result ? result.issues : {};
  const change = (part: Partial<TemplateDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const disabled = busy || !mayWrite();
  const save = async (): Promise<void> => {
    setWasSubmitted(true);
    if ('issues' in result) return focusFirstInvalid();
    await submit(async () => {
      const { body } = result;
      const { data } = template
        ? await call(endpoints.autoflow.updateTemplate, {
            body: { ...body, templateId: template.id, version },
            announce: false,
          })
        : await call(endpoints.autoflow.createTemplate, { body, announce: false });
      toast.success(t('autoflow.saved', { name: data.name }));
      await refetchTemplates(queries);
    });
  };
  return (
    <Page
      actions={
        <Button disabled={!mayWrite()} loading={busy} onClick={() => void save()} type="primary">
          {t('autoflow.save')}
        </Button>
      }
      facts={mayWrite() ? null : <span>{t('autoflow.noPermission')}</span>}
      name={template?.name ?? t('autoflow.templates.new')}
      parent={<ToTemplates />}
      title={template?.name ?? t('autoflow.templates.new')}
    >
      <Refusal reason={refusal} />
      <div className={styles['editor']}>
        <div className={styles['column']}>
          <Card>
            <div className={styles['line']}>
              <label htmlFor={id}>{t('autoflow.fields.name')}</label>
              <Input
                autoComplete="off"
                disabled={disabled}
                id={id}
                onChange={({ target }) => change({ name: target.value })}
                aria-invalid={issues['name'] !== undefined}
                status={issues['name'] ? 'error' : ''}
                value={draft.name}
              />
            </div>
            <IssueMessage issue={issues['name']} />
          </Card>
          <TextsCard
            disabled={disabled}
            issues={issues}
            onTexts={(texts) => change({ texts })}
            texts={draft.texts}
          />
        </div>
        {mayWrite() ? (
          <Card title={t('autoflow.tryOut.title')}>
            <ExampleTryOut texts={'body' in result ? result.body.texts : undefined} />
          </Card>
        ) : null}
      </div>
    </Page>
  );
};
