import { endpoints } from '@simcube/contract';
import type { AutoflowRuleDetail, RuleFileKind } from '@simcube/contract/autoflow';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, Input } from 'antd';
import { useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiFailure, call, explanationOf } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useSession } from '../../../lib/session/index.ts';
import { useSubmit } from '../../../lib/submit/index.ts';
import { now } from '../../../lib/time/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { focusFirstInvalid } from '../../../ui/focus/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { ruleHref, runsHref } from '../addresses.ts';
import styles from '../autoflow.module.css';
import { mayWrite } from '../may-write.ts';
import { RuleMissing } from '../rule-missing.tsx';
import type { EditorSearch } from '../search.ts';
import { ToRules } from '../to-rules.tsx';
import { RuleTryOut } from '../try-out/rule-try-out.tsx';
import { refetchRules, useEditedRule } from '../use-rules.ts';
import { ActionsCard } from './actions-card.tsx';
import { ActiveCard } from './active-card.tsx';
import { type CardProps, IssueMessage, invalidIf } from './card-parts.tsx';
import {
  copyOf,
  type Draft,
  draftOf,
  emptyDraft,
  type Issues,
  issuesOf,
  pastTimesOf,
  type RuleBody,
  refusedParts,
  validateDraft,
} from './draft.ts';
import { ReplayCard } from './replay-card.tsx';
import { ScopeCard } from './scope-card.tsx';
import { TriggerCard } from './trigger-card.tsx';
import { areUnchanged } from './validated-files.ts';

/** Creates or changes a rule. */
export const EditorScreen = ({ search: { id, copy, threshold } }: SearchScreenProps<EditorSearch>) => {
  useSession('rolesInfo');
  const { data: response, error, refetch } = useEditedRule(id ?? copy);
  if (id === undefined && copy === undefined)
    return <Editor key="new" rule={undefined} initial={emptyDraft} />;
  if (response)
    return id === undefined ? (
      <Editor key={`copy ${copy}`} rule={undefined} initial={copyOf(response.data, now())} />
    ) : (
      <Editor
        key={id}
        suggested={mayWrite() ? suggestedThreshold(response.data, threshold) : {}}
        rule={response.data}
        initial={draftOf(response.data)}
      />
    );
  return <RuleMissing error={error} onRetry={() => void refetch()} />;
};

interface EditorProps {
  /** Undefined for a new rule. */
  rule: AutoflowRuleDetail | undefined;
  initial: Draft;
  /** Initial changes to it. */
  suggested?: Partial<Draft>;
}

const Editor = ({ rule, initial, suggested = {} }: EditorProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const navigate = useNavigate();
  const queries = useQueryClient();
  // The version being edited: prevents overwriting what another person saved in the meantime.
  const [version] = useState(rule?.version ?? 0);
  const [base] = useState(initial);
  const [draft, setDraft] = useState({ ...initial, ...suggested });
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const {
    sending: busy,
    refusal,
    submit,
  } = useSubmit<string | undefined>({
    onDone: async (ruleId) => {
      if (ruleId !== undefined) await navigate({ href: ruleHref(language, ruleId), ignoreBlocker: true });
    },
  });
  const [isFileModified, setIsFileModified] = useState(false);
  const [uploads, setUploads] = useState<readonly RuleFileKind[]>([]);
  const [isTryingOut, setIsTryingOut] = useState(false);
  const isChanged = JSON.stringify({ ...draft, otherAmounts: {} }) !== JSON.stringify(base);
  useDraft(() => (isChanged || uploads.length > 0) && !busy);
  // Of the draft that was sent; later changes may have corrected them.
  const [refused, setRefused] = useState<Issues>({});
  const issues = wasSubmitted ? { ...refused, ...pastTimesOf(draft, base, now()), ...issuesOf(draft) } : {};
  const change = useCallback((part: Partial<Draft>) => {
    setDraft((current) => ({ ...current, ...part }));
    setRefused({});
    if ('sims' in part || 'imeis' in part) setIsFileModified(false);
  }, []);
  const setUploading = useCallback(
    (kind: RuleFileKind, isUploading: boolean) =>
      setUploads((current) => [...current.filter((one) => one !== kind), ...(isUploading ? [kind] : [])]),
    [],
  );
  /**
   * Unless the switch was moved here, the state as it is now: another person may have changed it since, which makes no version. It
   * is not left out, because during an upgrade a server of the previous version may save the rule, and would enable it.
   */
  const readState = async (ruleId: string): Promise<boolean> => {
    if (draft.enabled !== base.enabled) return draft.enabled;
    return (await call(endpoints.autoflow.detail, { params: { ruleId }, announce: false })).data.enabled;
  };
  /** @returns the rule's id */
  const send = async (body: RuleBody): Promise<string> => {
    const { data } = rule
      ? await call(endpoints.autoflow.update, {
          body: { ...body, enabled: await readState(rule.id), ruleId: rule.id, version },
          announce: false,
        })
      : await call(endpoints.autoflow.create, { body, announce: false });
    toast.success(t('autoflow.saved', { name: data.name }));
    await refetchRules(queries);
    return data.id;
  };
  /** Shows at the parts why the rule was refused. @returns the reason if it is none of them */
  const explain = (failure: ApiFailure): string | undefined => {
    const atParts = refusedParts(failure);
    setRefused(atParts);
    if (Object.keys(atParts).length === 0) return explanationOf(failure);
    focusFirstInvalid();
    return undefined;
  };
  const save = async (): Promise<void> => {
    setWasSubmitted(true);
    setIsFileModified(false);
    setRefused({});
    const result = validateDraft(draft);
    if ('issues' in result || Object.keys(pastTimesOf(draft, base, now())).length > 0)
      return focusFirstInvalid();
    await submit(async () => {
      const isModified = !(await areUnchanged(draft));
      setIsFileModified(isModified);
      return isModified ? undefined : await send(result.body);
    }, explain);
  };
  const disabled = busy || !mayWrite();
  const cardProps = { draft, issues, disabled, onChange: change };
  return (
    <Page
      actions={
        <>
          {rule ? (
            <Link href={runsHref(language, rule.id)}>
              <Button>{t('autoflow.runHistory')}</Button>
            </Link>
          ) : null}
          {mayWrite() ? (
            <Button onClick={() => setIsTryingOut(true)}>{t('autoflow.tryOut.title')}</Button>
          ) : null}
          <Button
            disabled={!mayWrite() || uploads.length > 0}
            loading={busy}
            onClick={() => void save()}
            type="primary"
          >
            {t('autoflow.save')}
          </Button>
        </>
      }
      facts={mayWrite() ? null : <span>{t('autoflow.noPermission')}</span>}
      name={rule?.name ?? t('autoflow.new')}
      parent={<ToRules />}
      title={rule?.name ?? t('autoflow.new')}
    >
      <Refusal reason={isFileModified ? t('errors.triggerFileModified') : refusal} />
      <div className={styles['editor']}>
        <div className={styles['column']}>
          <NameCard {...cardProps} />
          <TriggerCard {...cardProps} onUploading={setUploading} />
          <ScopeCard {...cardProps} onUploading={setUploading} />
          <ActionsCard {...cardProps} rule={rule} />
          <ActiveCard {...cardProps} />
        </div>
        <ReplayCard draft={draft} ruleId={rule?.id} />
      </div>
      <Drawer onClose={() => setIsTryingOut(false)} open={isTryingOut} title={t('autoflow.tryOut.title')}>
        <RuleTryOut draft={draft} />
      </Drawer>
    </Page>
  );
};

/** A threshold of data usage from the URL, in the draft's format; a rule on something else has another unit. */
const suggestedThreshold = (
  { trigger }: AutoflowRuleDetail,
  threshold: string | undefined,
): Partial<Draft> => {
  if (trigger.kind !== 'data-usage') return {};
  const [, amount, unit] = /^(\d+)(\D+)$/.exec(threshold ?? '') ?? [];
  return amount === undefined ? {} : { amount: Number(amount), unit: unit as Draft['unit'] };
};

const NameCard = ({ draft, issues, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Card>
      <div className={styles['line']}>
        <label htmlFor={id}>{t('autoflow.fields.name')}</label>
        <Input
          autoComplete="off"
          disabled={disabled}
          id={id}
          onChange={({ target }) => onChange({ name: target.value })}
          {...invalidIf(issues.name !== undefined)}
          value={draft.name}
        />
      </div>
      <IssueMessage issue={issues.name} />
    </Card>
  );
};
