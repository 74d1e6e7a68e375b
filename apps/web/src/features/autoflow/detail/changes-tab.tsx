import { endpoints } from '@simcube/contract';
import type { ChangeEntry } from '@simcube/contract/audit';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { changeText } from '../../../lib/changes/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ListPanel, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { useChangeColumns } from '../../audit-text/index.ts';
import { type RuleSearch, ruleSearch } from '../search.ts';
import { useRuleTexts } from '../use-rule-texts.ts';

/** Who changed a rule, and how. */
export const ChangesTab = ({ ruleId, ...address }: SearchScreenProps<RuleSearch> & { ruleId: string }) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'autoflow-changes',
    of: ruleSearch,
    address,
    query: usePageQuery(address.search, (query) =>
      endpointQuery(endpoints.autoflow.listChanges, { params: { ruleId }, query }),
    ),
    columns: useChangeColumns(useChangeText()),
  });
  return (
    <ListPanel
      empty={{ title: t('autoflow.changesEmpty') }}
      label={t('autoflow.tabs.changes')}
      list={list}
      rowKey={({ number }) => String(number)}
    />
  );
};

/** Describes a change of a rule. */
const useChangeText = () => {
  const { t } = useTranslation();
  const ruleTexts = useRuleTexts();
  return useCallback(
    (change: ChangeEntry): string => {
      const labels = {
        name: t('autoflow.fields.name'),
        enabled: t('autoflow.conditions.enabled'),
        owner: t('audit.values.owner'),
        trigger: t('autoflow.fields.trigger'),
        scope: t('autoflow.fields.scope'),
        actions: t('autoflow.runs.actions'),
        active_from: t('autoflow.fields.activeFrom'),
        active_until: t('autoflow.fields.activeUntil'),
        group_minutes: t('autoflow.gather'),
      };
      const valueText = (field: string, value: unknown): string => {
        if (value === null) return t('common.states.none');
        if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
        return (
          ruleTexts.value(field, value) ?? (typeof value === 'object' ? JSON.stringify(value) : String(value))
        );
      };
      return changeText(change, { labels, valueText });
    },
    [t, ruleTexts],
  );
};
