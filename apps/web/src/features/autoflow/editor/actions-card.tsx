import { CloseOutlined } from '@ant-design/icons';
import { limits } from '@simcube/contract';
import {
  type AutoflowRule,
  type RuleAction,
  type RuleActionKind,
  rateLimits,
  ruleActionKinds,
} from '@simcube/contract/autoflow';
import { Button, Input } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useFocusHandover } from '../../../ui/focus/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Menu } from '../../../ui/menu/index.ts';
import { NumberField } from '../../../ui/number-field/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { ActionIcon } from '../action-icon.tsx';
import styles from '../autoflow.module.css';
import { mayUseAction } from '../may-write.ts';
import { type CardProps, IssueMessage, invalidIf, StepTitle } from './card-parts.tsx';
import { type Targets, useTargets } from './use-targets.ts';

const operations = ruleActionKinds.filter((kind) => !['mail', 'api', 'sms', 'add-tag'].includes(kind));

/** The rule's actions: notifies targets, and changes the SIM. */
export const ActionsCard = ({
  draft,
  issues,
  disabled,
  onChange,
  rule,
}: CardProps & { rule: AutoflowRule | undefined }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const targets = useTargets(rule);
  const addButton = useRef<HTMLButtonElement>(null);
  const handover = useFocusHandover(() => addButton.current ?? undefined);
  const { actions } = draft;
  const add = (kind: RuleActionKind): void =>
    onChange({ actions: [...actions, newAction(kind, targets, actions)] });
  const replace = (index: number, action: RuleAction | undefined): void =>
    onChange({ actions: actions.flatMap((one, at) => (at === index ? (action ?? []) : one)) });
  /** The actions that the person may add: each operation once, notifications once per target. */
  const available = ruleActionKinds.filter(mayUseAction).filter((kind) => {
    const usedCount = actions.filter((one) => one.kind === kind).length;
    return kind === 'mail' || kind === 'api' || kind === 'sms'
      ? usedCount < targets[kind].length
      : usedCount === 0;
  });
  const hasNoTargets = (['mail', 'api', 'sms'] as const).every((kind) => targets[kind].length === 0);
  return (
    <Card title={<StepTitle name={t('autoflow.steps.do')} number={3} />}>
      <div className={styles['stack']} {...handover}>
        {actions.map((action, index) => (
          <ActionRow
            action={action}
            disabled={disabled}
            invalid={invalidIf(issues.actions?.path.startsWith(`actions.${index}.`) ?? false)}
            key={keyOf(actions, index)}
            onAction={(changed) => replace(index, changed)}
            targets={targets}
          />
        ))}
        <Menu
          items={available.map((kind) => ({
            key: kind,
            label: t(`autoflow.actionKinds.${kind}`),
            onClick: () => add(kind),
          }))}
          placement="bottomLeft"
        >
          <Button
            block
            disabled={disabled || actions.length >= limits.autoflow.actions}
            ref={addButton}
            type="dashed"
          >
            {t('autoflow.addAction')}
          </Button>
        </Menu>
      </div>
      {targets.error ? <Failure error={targets.error} onRetry={targets.retry} small /> : null}
      {hasNoTargets && targets.known ? (
        <div className={styles['line']}>
          <span>{t('autoflow.noTargets')}</span>
          {session.can('account') ? (
            <Link href={`/${language}/setCard?tab=groups`}>{t('autoflow.toTargets')}</Link>
          ) : null}
        </div>
      ) : null}
      {actions.some(({ kind }) => kind === 'mail' || kind === 'sms' || kind === 'api') ? (
        <GroupMinutes
          disabled={disabled}
          isInvalid={issues.group_minutes !== undefined}
          minutes={draft.groupMinutes}
          onMinutes={(groupMinutes) => onChange({ groupMinutes })}
        />
      ) : null}
      {actions.some(({ kind }) => operations.includes(kind)) ? (
        <p className={styles['faint']}>{t('autoflow.chains')}</p>
      ) : null}
      {issues.actions && actions.length === 0 ? (
        <p className={styles['error']} role="alert">
          {t('autoflow.noAction')}
        </p>
      ) : (
        <IssueMessage issue={issues.actions ?? issues.group_minutes} />
      )}
    </Card>
  );
};

/** Kind and position among its kind: keeps an action's identity while it is changed. */
const keyOf = (actions: readonly RuleAction[], index: number): string => {
  const kind = actions[index]?.kind;
  return `${kind} ${actions.slice(0, index).filter((one) => one.kind === kind).length}`;
};

/** For a target that does not have this kind of action yet. */
const newAction = (kind: RuleActionKind, targets: Targets, actions: readonly RuleAction[]): RuleAction => {
  const target = (of: 'mail' | 'api' | 'sms'): string => {
    const usedTargets = actions.flatMap((one) =>
      one.kind === of && 'group_id' in one ? [one.group_id] : [],
    );
    return targets[of].find(({ id }) => !usedTargets.includes(id))?.id ?? '';
  };
  switch (kind) {
    case 'mail':
    case 'sms':
      return { kind, group_id: target(kind), template_id: null };
    case 'api':
      return { kind, group_id: target(kind) };
    case 'slow':
      return { kind, kbps: rateLimits[0] };
    case 'add-tag':
      return { kind, tag: '' };
    default:
      return { kind };
  }
};

interface ActionRowProps {
  action: RuleAction;
  targets: Targets;
  disabled: boolean;
  invalid: ReturnType<typeof invalidIf>;
  /** Removes the action if undefined. */
  onAction: (action: RuleAction | undefined) => void;
}

const ActionRow = ({ action, onAction, ...fields }: ActionRowProps) => {
  const { t } = useTranslation();
  const name = t(`autoflow.actionKinds.${action.kind}`);
  return (
    <div className={styles['action']}>
      <span>
        <ActionIcon kind={action.kind} />
        {name}
      </span>
      <ActionFields action={action} onAction={onAction} {...fields} />
      <Button
        aria-label={t('autoflow.removeAction', { name })}
        disabled={fields.disabled}
        icon={<CloseOutlined aria-hidden="true" />}
        onClick={() => onAction(undefined)}
        size="small"
        type="text"
      />
    </div>
  );
};

const ActionFields = ({ action, targets, disabled, invalid, onAction }: ActionRowProps) => {
  const { t } = useTranslation();
  switch (action.kind) {
    case 'mail':
    case 'api':
    case 'sms':
      return (
        <>
          <Select<string>
            aria-label={t('autoflow.fields.target')}
            disabled={disabled}
            onChange={(group_id) => onAction({ ...action, group_id })}
            options={targets[action.kind].map(({ id, label }) => ({ value: id, label }))}
            {...invalid}
            style={{ minWidth: 220 }}
            value={
              targets.known && !targets[action.kind].some(({ id }) => id === action.group_id)
                ? null
                : action.group_id
            }
          />
          {'template_id' in action && targets.templates.length > 0 ? (
            <Select<string>
              aria-label={t('autoflow.fields.template')}
              disabled={disabled}
              onChange={(id) => onAction({ ...action, template_id: id === '' ? null : id })}
              options={[
                { value: '', label: t('autoflow.ownWords') },
                ...targets.templates.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              style={{ minWidth: 170 }}
              value={action.template_id ?? ''}
            />
          ) : null}
        </>
      );
    case 'slow':
      return (
        <Select
          aria-label={t('autoflow.fields.rate')}
          disabled={disabled}
          onChange={(kbps) => onAction({ ...action, kbps })}
          options={rateLimits.map((value) => ({ value, label: `${value} kbps` }))}
          style={{ minWidth: 120 }}
          value={action.kbps}
        />
      );
    case 'add-tag':
      return (
        <Input
          aria-label={t('autoflow.fields.tag')}
          disabled={disabled}
          onChange={({ target }) => onAction({ ...action, tag: target.value })}
          {...invalid}
          style={{ width: 180 }}
          value={action.tag}
        />
      );
    default:
      return null;
  }
};

interface GroupMinutesProps {
  minutes: number | null;
  disabled: boolean;
  isInvalid: boolean;
  onMinutes: (minutes: number | null) => void;
}

/** Groups many firings into one message. */
const GroupMinutes = ({ minutes, disabled, isInvalid, onMinutes }: GroupMinutesProps) => {
  const { t } = useTranslation();
  return (
    <div className={styles['line']}>
      <span>{t('autoflow.gather')}</span>
      <NumberField
        aria-label={t('autoflow.gather')}
        disabled={disabled}
        {...invalidIf(isInvalid)}
        onChange={onMinutes}
        placeholder="—"
        precision={0}
        style={{ width: 80 }}
        value={minutes}
      />
      <span>{t('autoflow.units.minutes')}</span>
    </div>
  );
};
