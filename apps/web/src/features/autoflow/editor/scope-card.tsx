import { endpoints, limits } from '@simcube/contract';
import { type ScopeKind, scopeKinds } from '@simcube/contract/autoflow';
import { bundleTypes } from '@simcube/contract/bundle';
import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from '../autoflow.module.css';
import { mayWrite } from '../may-write.ts';
import { type CardProps, IssueMessage, invalidIf, type ListCardProps, StepTitle } from './card-parts.tsx';
import { completeScopeOf, iccidsOf, type RuleBody } from './draft.ts';
import { FileField } from './file-field.tsx';

/** The SIMs that the rule applies to. */
export const ScopeCard = (card: ListCardProps) => {
  const { t } = useTranslation();
  const { draft, issues, disabled, onChange } = card;
  return (
    <Card title={<StepTitle name={t('autoflow.steps.for')} number={2} />}>
      <div className={styles['line']}>
        <Select<ScopeKind>
          aria-label={t('autoflow.fields.scope')}
          disabled={disabled}
          onChange={(scope) => onChange({ scope })}
          options={scopeKinds.map((value) => ({ value, label: t(`autoflow.scopes.${value}`) }))}
          style={{ minWidth: 190 }}
          value={draft.scope}
        />
        <ScopeField {...card} />
      </div>
      <MatchingSims {...card} />
      <IssueMessage issue={issues.scope} />
    </Card>
  );
};

const ScopeField = ({ draft, issues, disabled, onChange, onUploading }: ListCardProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const invalid = invalidIf(issues.scope !== undefined);
  switch (draft.scope) {
    case 'all':
      return null;
    case 'tags':
      return (
        <Tags disabled={disabled} invalid={invalid} onTags={(tags) => onChange({ tags })} tags={draft.tags} />
      );
    case 'product-type':
      return (
        <Select
          aria-label={t('autoflow.fields.types')}
          disabled={disabled}
          mode="multiple"
          onChange={(types: string[]) => onChange({ types })}
          {...invalid}
          options={bundleTypes.map((value) => ({ value, label: t(`sim.bundleType.${value}`) }))}
          style={{ minWidth: 260 }}
          value={draft.types}
        />
      );
    case 'uploaded':
      return (
        <FileField
          disabled={disabled}
          file={draft.sims}
          kind="sims"
          onFile={(sims) => onChange({ sims })}
          onUploading={onUploading}
        />
      );
    case 'manual':
      return (
        <Input.TextArea
          aria-label={t('autoflow.fields.iccids')}
          disabled={disabled}
          onChange={({ target }) => onChange({ iccids: target.value })}
          {...invalid}
          placeholder={t('autoflow.iccidsHint', { max: count(limits.autoflow.manualSims) })}
          rows={5}
          spellCheck={false}
          value={draft.iccids}
        />
      );
  }
};

interface TagsProps {
  tags: string[];
  disabled: boolean;
  invalid: ReturnType<typeof invalidIf>;
  onTags: (tags: string[]) => void;
}

const Tags = ({ tags, disabled, invalid, onTags }: TagsProps) => {
  const { t } = useTranslation();
  const inUse = useApiQuery(endpointQuery(endpoints.sim.listTags, { body: {} })).data?.data ?? [];
  return (
    <Select
      aria-label={t('autoflow.fields.tags')}
      disabled={disabled}
      maxCount={limits.autoflow.scopeTags}
      mode="tags"
      onChange={onTags}
      {...invalid}
      options={inUse.map(({ tag }) => ({ value: tag, label: tag }))}
      style={{ minWidth: 260 }}
      tokenSeparators={[',']}
      value={tags}
    />
  );
};

/** The current number of SIMs, and errors in those that were typed. */
const MatchingSims = ({ draft }: CardProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const scopeJson = useDebounced(JSON.stringify(completeScopeOf(draft) ?? null), limits.searchDebounceMs);
  const scope = JSON.parse(scopeJson) as RuleBody['scope'] | null;
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(endpoints.autoflow.validateScope, { body: { scope: scope ?? { kind: 'all' } } }),
    enabled: scope !== null && mayWrite(),
  });
  const iccidCount = iccidsOf(draft).length;
  const { manualSims: max } = limits.autoflow;
  if (draft.scope === 'manual' && iccidCount > max)
    return (
      <p className={styles['error']} role="alert">
        {t('autoflow.iccidsTooMany', { used: count(iccidCount), max: count(max) })}
      </p>
    );
  if (scope === null) return null;
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} small /> : null;
  const validation = data.data;
  const isDynamic = draft.scope === 'all' || draft.scope === 'tags' || draft.scope === 'product-type';
  return (
    <>
      <p className={styles['faint']}>
        {t('autoflow.simsToday', { count: validation.sims, shown: count(validation.sims) })}{' '}
        {t(isDynamic ? 'autoflow.follows' : 'autoflow.fixed')}
      </p>
      {validation.errors.slice(0, 5).map(({ value, message }) => (
        <p className={styles['error']} key={value}>
          {t('kit.marks.named', { name: value, value: message })}
        </p>
      ))}
    </>
  );
};
