import type { AutoflowRuleDetail } from '@simcube/contract/autoflow';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useSession } from '../../../lib/session/index.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { Tabs } from '../../../ui/tabs/index.ts';
import { copyHref, editHref, rulesHref } from '../addresses.ts';
import { mayWrite } from '../may-write.ts';
import { RuleMissing } from '../rule-missing.tsx';
import { type RuleSearch, ruleTabs } from '../search.ts';
import { ToRules } from '../to-rules.tsx';
import { useRuleActions } from '../use-rule-actions.ts';
import { useRuleTexts } from '../use-rule-texts.ts';
import { useRule } from '../use-rules.ts';
import { ChangesTab } from './changes-tab.tsx';
import { RuleTab } from './rule-tab.tsx';
import { RunsPanel } from './runs.panel.tsx';
import { SimsTab } from './sims-tab.tsx';
import { WhyDrawer } from './why-drawer.tsx';

/** A rule, when it fired and the outcomes of its actions, its SIMs, and its changes; or the firings of all rules. */
export const RuleScreen = (address: SearchScreenProps<RuleSearch>) => {
  const { id } = address.search;
  const { data: response, error, refetch } = useRule(id);
  useSession('rolesInfo');
  if (id === undefined) return <RunsPanel {...address} />;
  // Another person removed it, even if its data is still cached.
  const isDeleted = error instanceof ApiFailure && error.http === 404;
  if (response && !isDeleted) return <Rule {...address} rule={response.data} />;
  return <RuleMissing error={error} onRetry={() => void refetch()} />;
};

const Rule = ({ rule, ...address }: SearchScreenProps<RuleSearch> & { rule: AutoflowRuleDetail }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { search, onSearchChange } = address;
  const tab = search.tab ?? (hasRunFilter(search) ? 'runs' : 'rule');
  const list = { ...address, search: { ...search, tab }, ruleId: rule.id };
  const counts = { rule: undefined, runs: rule.fired.total, sims: rule.sims, changes: undefined };
  return (
    <Page
      actions={<Actions rule={rule} />}
      facts={<Facts rule={rule} />}
      fill={tab !== 'rule'}
      name={rule.name}
      parent={<ToRules />}
      title={rule.name}
    >
      <Tabs
        fill={tab !== 'rule'}
        onChange={(name) =>
          onSearchChange({ id: rule.id, ...(name === 'rule' ? {} : { tab: name }) }, 'push')
        }
        tabs={ruleTabs.map((name) => ({
          name,
          label: t(`autoflow.tabs.${name}`),
          count: counts[name] === undefined ? undefined : count(counts[name]),
        }))}
        value={tab}
      >
        {tab === 'rule' ? <RuleTab rule={rule} /> : null}
        {tab === 'runs' ? <RunsPanel {...list} /> : null}
        {tab === 'sims' ? <SimsTab {...list} /> : null}
        {tab === 'changes' ? <ChangesTab {...list} /> : null}
      </Tabs>
      <WhyDrawer
        iccid={search.why}
        onClose={() => onSearchChange({ ...search, why: undefined }, 'replace')}
        ruleId={rule.id}
      />
    </Page>
  );
};

/** An address that filters the run history without naming its tab. */
const hasRunFilter = ({ iccid, state, from, to }: RuleSearch): boolean =>
  (iccid ?? state ?? from ?? to) !== undefined;

const tones: Record<AutoflowRuleDetail['condition'], Tone> = {
  enabled: 'teal',
  disabled: 'grey',
  waiting: 'purple',
  ended: 'grey',
  failing: 'red',
};

const Facts = ({ rule }: { rule: AutoflowRuleDetail }) => {
  const { t } = useTranslation();
  const ruleTexts = useRuleTexts();
  return (
    <>
      <Status tone={tones[rule.condition]}>{t(`autoflow.conditions.${rule.condition}`)}</Status>
      <span>{ruleTexts.when(rule.trigger)}</span>
      <span>{joinList(rule.actions.map(ruleTexts.action))}</span>
    </>
  );
};

const Actions = ({ rule }: { rule: AutoflowRuleDetail }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const navigate = useNavigate();
  const { toggle, remove } = useRuleActions('detail');
  if (!mayWrite()) return null;
  const go = (href: string): Promise<void> => navigate({ href });
  return (
    <>
      <Button onClick={() => void go(copyHref(language, rule.id))}>{t('autoflow.copy')}</Button>
      <Button onClick={() => void toggle(rule)}>
        {t(rule.enabled ? 'autoflow.disable' : 'autoflow.enable')}
      </Button>
      <ActionMenu
        items={[
          {
            key: 'remove',
            label: t('autoflow.remove'),
            danger: true,
            onClick: () => void remove(rule, () => go(rulesHref(language))),
          },
        ]}
        label={t('autoflow.menu', { name: rule.name })}
        size="middle"
      />
      <Button onClick={() => void go(editHref(language, rule.id))} type="primary">
        {t('autoflow.edit')}
      </Button>
    </>
  );
};
