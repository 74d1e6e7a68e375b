import { limits } from '@simcube/contract';
import { type AutoflowRule, scopeKinds, triggerKinds } from '@simcube/contract/autoflow';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOfferedCommands } from '../../../lib/commands/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useSession } from '../../../lib/session/index.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { useHandler } from '../../../ui/handler/index.ts';
import {
  type List,
  ListScreen,
  QuickCounts,
  useFilterBuilder,
  useList,
} from '../../../ui/list-screen/index.ts';
import { AsOf } from '../../../ui/time/index.ts';
import { allRunsHref, copyHref, editHref, newHref, ruleHref, templatesHref } from '../addresses.ts';
import styles from '../autoflow.module.css';
import { mayWrite } from '../may-write.ts';
import { type RulesSearch, rulesSearch } from '../search.ts';
import { useRuleActions } from '../use-rule-actions.ts';
import { useOvershoots, useRuleCount, useRules, useSummary } from '../use-rules.ts';
import { useRuleColumns } from './rule-columns.tsx';

/** Rules that notify people and programs, or change SIMs, when something happens. */
export const RulesScreen = (address: SearchScreenProps<RulesSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  // Permissions may change while the page is open: re-render the actions.
  useSession('rolesInfo');
  const navigate = useNavigate();
  const query = useRules(address.search);
  const usageRules = query.data?.data.filter(({ trigger }) => trigger.kind === 'data-usage') ?? [];
  const overshoots = useOvershoots(usageRules.map(({ id }) => id)).data?.data;
  const { toggle, remove } = useRuleActions('list');
  const onToggle = useHandler((rule: AutoflowRule) => void toggle(rule));
  const onRemove = useHandler((rule: AutoflowRule) => void remove(rule));
  const go = useHandler((href: string) => void navigate({ href }));
  const list = useList({
    name: 'autoflow',
    of: rulesSearch,
    address,
    query,
    columns: useRuleColumns({ overshoots, onToggle }),
  });
  const menuOf = useCallback(
    (rule: AutoflowRule) => (
      <ActionMenu
        items={() => [
          { key: 'open', label: t('autoflow.open'), onClick: () => go(ruleHref(language, rule.id)) },
          ...(mayWrite()
            ? [
                { key: 'edit', label: t('autoflow.edit'), onClick: () => go(editHref(language, rule.id)) },
                { key: 'copy', label: t('autoflow.copy'), onClick: () => go(copyHref(language, rule.id)) },
                {
                  key: 'remove',
                  label: t('autoflow.remove'),
                  danger: true,
                  separated: true,
                  onClick: () => onRemove(rule),
                },
              ]
            : []),
        ]}
        label={t('autoflow.menu', { name: rule.name })}
      />
    ),
    [t, go, language, onRemove],
  );
  useOfferedCommands({
    heading: t('shell.menu.autoflow'),
    commands: mayWrite() ? [{ key: 'new', label: t('autoflow.new'), run: () => go(newHref(language)) }] : [],
  });
  return (
    <ListScreen
      actions={
        <>
          <Button onClick={() => go(templatesHref(language))}>{t('autoflow.templates.title')}</Button>
          <Button onClick={() => go(allRunsHref(language))}>{t('autoflow.runHistory')}</Button>
          {mayWrite() ? (
            <Button onClick={() => go(newHref(language))} type="primary">
              {t('autoflow.new')}
            </Button>
          ) : null}
        </>
      }
      counts={<Conditions list={list} />}
      empty={{ title: t('autoflow.empty'), hint: t('autoflow.emptyHint') }}
      facts={
        <>
          <RuleCount />
          <AsOf at={list.asOf} />
        </>
      }
      filters={useRuleFilters(list)}
      isFaded={isDisabled}
      label={t('autoflow.label')}
      list={list}
      noMatch={{ title: t('autoflow.noMatch'), hint: t('autoflow.noMatchHint') }}
      quickSearch={{ placeholder: t('autoflow.search'), maxLength: limits.autoflow.search }}
      rowActions={menuOf}
      rowHref={({ id }) => (mayWrite() ? editHref(language, id) : ruleHref(language, id))}
      rowKey={({ id }) => id}
      title={t('shell.menu.autoflow')}
      tools={<LastDays search={list.search} />}
    />
  );
};

const isDisabled = ({ enabled }: AutoflowRule): boolean => !enabled;

type ListProps = { list: List<AutoflowRule, RulesSearch> };

const useRuleFilters = (list: List<AutoflowRule, RulesSearch>) => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  return [
    by.one('trigger', {
      label: t('autoflow.fields.trigger'),
      options: triggerKinds.map((value) => ({ value, label: t(`autoflow.triggers.${value}`) })),
    }),
    by.one('scope', {
      label: t('autoflow.fields.scope'),
      options: scopeKinds.map((value) => ({ value, label: t(`autoflow.scopes.${value}`) })),
    }),
  ];
};

/** The number of rules, and the maximum. */
const RuleCount = () => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const ruleCount = useRuleCount().data?.data;
  if (!ruleCount) return null;
  const { rules, maximum } = ruleCount;
  return <span>{t('autoflow.made', { count: rules, shown: count(rules), maximum: count(maximum) })}</span>;
};

/** The activity of the listed rules in the last 30 days. */
const LastDays = ({ search }: { search: RulesSearch }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const summary = useSummary(search).data?.data;
  if (!summary) return null;
  const { firings, actions, failed } = summary;
  return (
    <span className={styles['lastDays']}>
      {t('autoflow.lastDays', {
        firings: t('autoflow.firings', { count: firings, shown: count(firings) }),
        actions: t('autoflow.actionsDone', { count: actions, shown: count(actions) }),
      })}
      {failed > 0 ? (
        <span
          className={styles['bad']}
        >{` · ${t('autoflow.failedActions', { count: failed, shown: count(failed) })}`}</span>
      ) : null}
    </span>
  );
};

const countedConditions = ['enabled', 'disabled', 'failing'] as const;
const tones = { enabled: 'teal', disabled: 'grey', failing: 'red' } as const;

const Conditions = ({ list: { search, onFilter } }: ListProps) => {
  const { t } = useTranslation();
  const { data, isPlaceholderData } = useSummary(search);
  const summary = data?.data;
  const counts = useMemo(
    () =>
      countedConditions.map((value) => ({
        value,
        tone: tones[value],
        label: t(`autoflow.conditions.${value}`),
        count: summary?.[value],
      })),
    [t, summary],
  );
  const shown = countedConditions.find((one) => one === search.condition);
  return (
    <QuickCounts
      all={{ label: t('autoflow.all'), count: summary?.rules }}
      counts={counts}
      label={t('autoflow.byCondition')}
      onChange={(conditions) => onFilter({ condition: conditions?.[0] })}
      stale={isPlaceholderData}
      value={shown && [shown]}
    />
  );
};
