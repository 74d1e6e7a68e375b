import type { AutoflowRuleDetail, RuleAction } from '@simcube/contract/autoflow';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { type Description, DescriptionList } from '../../../ui/description-list/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { ActionIcon } from '../action-icon.tsx';
import styles from '../autoflow.module.css';
import { frequencyOf } from '../frequency.ts';
import { useAllTemplates } from '../templates/use-templates.ts';
import { useRuleTexts } from '../use-rule-texts.ts';

type RuleProps = { rule: AutoflowRuleDetail };

/** What the rule does: the parts of the editor in the same order, and where it comes from. */
export const RuleTab = ({ rule }: RuleProps) => {
  const { t } = useTranslation();
  const parts: Record<'when' | 'for' | 'do' | 'active', readonly Description[]> = {
    when: useTriggerDescription(rule),
    for: useScopeDescription(rule),
    do: [
      { term: t('autoflow.runs.actions'), value: <RuleActions rule={rule} /> },
      ...(rule.group_minutes === null
        ? []
        : [
            {
              term: t('autoflow.gather'),
              value: t('autoflow.minutes', { count: rule.group_minutes }),
            },
          ]),
    ],
    active: [
      {
        term: t('autoflow.fields.activeFrom'),
        value: rule.active_from === null ? t('autoflow.atOnce') : <Time at={rule.active_from} />,
      },
      {
        term: t('autoflow.fields.activeUntil'),
        value: rule.active_until === null ? t('autoflow.never') : <Time at={rule.active_until} />,
      },
    ],
  };
  return (
    <div className={styles['parts']}>
      {(['when', 'for', 'do', 'active'] as const).map((name) => (
        <Card key={name} title={t(`autoflow.steps.${name}`)}>
          <DescriptionList items={parts[name]} />
        </Card>
      ))}
      <Origin rule={rule} />
    </div>
  );
};

const useTriggerDescription = ({ trigger, imei_list: imeis }: AutoflowRuleDetail): Description[] => {
  const { t } = useTranslation();
  const texts = useRuleTexts();
  const listText = useListText();
  const period = 'period' in trigger ? trigger.period : undefined;
  return [
    { term: t('autoflow.fields.trigger'), value: texts.when(trigger) },
    ...(imeis === null ? [] : [{ term: t('autoflow.fields.imeis'), value: listText(imeis) }]),
    {
      term: t('autoflow.fields.frequency'),
      value: t(`autoflow.once.${frequencyOf({ kind: trigger.kind, period })}`),
    },
  ];
};

const useScopeDescription = ({ scope, scope_list: list, sims }: AutoflowRuleDetail): Description[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const texts = useRuleTexts();
  const listText = useListText();
  return [
    {
      term: t('autoflow.fields.scope'),
      value: (
        <>
          {texts.scope(scope)}
          {scope.kind === 'tags' || scope.kind === 'product-type' ? (
            <span className={styles['faint']}> · {t(`autoflow.scopes.${scope.kind}`)}</span>
          ) : null}
        </>
      ),
    },
    ...(list === null ? [] : [{ term: t('autoflow.fields.list'), value: listText(list) }]),
    { term: t('autoflow.tabs.sims'), value: t('autoflow.sims', { count: sims, shown: count(sims) }) },
  ];
};

/** A list by its file's name, if it has one, and its number of rows. */
const useListText = () => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return ({ name, rows }: NonNullable<AutoflowRuleDetail['scope_list']>): string =>
    [name, t('autoflow.files.rows', { count: rows, shown: count(rows) })].filter(Boolean).join(' · ');
};

const RuleActions = ({ rule: { actions, targets } }: RuleProps) => (
  <ul className={styles['actionList']}>
    {actions.map((action, index) => (
      <li key={JSON.stringify(action)}>
        <ActionIcon kind={action.kind} />
        <ActionText action={action} target={targets[index] ?? null} />
      </li>
    ))}
  </ul>
);

interface ActionTextProps {
  action: RuleAction;
  /** Null for operations, and for a target that was removed. */
  target: AutoflowRuleDetail['targets'][number];
}

const ActionText = ({ action, target }: ActionTextProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const texts = useRuleTexts();
  if (!('group_id' in action)) return texts.action(action);
  return (
    <>
      {t(`autoflow.actionKinds.${action.kind}`)}:{' '}
      {target === null ? (
        t('autoflow.targetRemoved')
      ) : (
        <>
          <b>{target.name}</b>
          <span className={styles['faint']}>
            {' · '}
            {target.url ??
              t('autoflow.addresses', { count: target.addresses, shown: count(target.addresses) })}
          </span>
        </>
      )}
      {'template_id' in action && action.template_id !== null ? (
        <TemplateName id={action.template_id} />
      ) : null}
    </>
  );
};

const TemplateName = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const name = useAllTemplates().data?.data.find((one) => one.id === id)?.name;
  return name === undefined ? null : (
    <span className={styles['faint']}>
      {' · '}
      {t('kit.marks.named', { name: t('autoflow.fields.template'), value: name })}
    </span>
  );
};

const Origin = ({ rule }: RuleProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (
    <Card title={t('autoflow.details')}>
      <DescriptionList
        items={[
          {
            term: t('autoflow.fields.id'),
            value: <Identifier copy label={t('autoflow.fields.id')} value={rule.id} />,
          },
          { term: t('autoflow.fields.version'), value: count(rule.version) },
          { term: t('autoflow.fields.created'), value: <Time at={rule.created_at} /> },
          { term: t('autoflow.fields.createdBy'), value: rule.created_by },
          { term: t('autoflow.fields.changed'), value: <Time at={rule.updated_at} /> },
        ]}
      />
    </Card>
  );
};
