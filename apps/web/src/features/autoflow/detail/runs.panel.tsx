import { endpoints, iccidSchema } from '@simcube/contract';
import { type RuleRun, runStates } from '@simcube/contract/autoflow';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import {
  ListFacts,
  ListPanel,
  useFilterBuilder,
  useList,
  usePageQuery,
} from '../../../ui/list-screen/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { momentWidth, Time, useZoneName } from '../../../ui/time/index.ts';
import { ruleHref } from '../addresses.ts';
import styles from '../autoflow.module.css';
import { type RuleSearch, ruleSearch } from '../search.ts';
import { ToRules } from '../to-rules.tsx';
import { pollMs } from '../use-rules.ts';
import { useMeasuredText } from './use-measured-text.ts';

type RunsProps = SearchScreenProps<RuleSearch> & {
  /** All rules if undefined: as a page of its own. */
  ruleId?: string;
};

/** When and for which SIMs it fired in the last 30 days, and the outcomes of its actions. */
export const RunsPanel = ({ ruleId, ...address }: RunsProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { rule: onlyRule } = address.search;
  const filter = runFilterOf(address.search);
  const list = useList({
    name: ruleId === undefined ? 'autoflow-all-runs' : 'autoflow-runs',
    of: ruleSearch,
    address,
    query: usePageQuery(address.search, (page) => ({
      ...(ruleId === undefined
        ? endpointQuery(endpoints.autoflow.listAllRuns, {
            query: { ...filter, ...(onlyRule === undefined ? {} : { ruleId: onlyRule }), ...page },
          })
        : endpointQuery(endpoints.autoflow.listRuns, { params: { ruleId }, query: { ...filter, ...page } })),
      refetchInterval: pollMs,
    })),
    columns: useRunColumns(ruleId === undefined),
  });
  const by = useFilterBuilder(list);
  const rules = useRuleChoices(ruleId === undefined);
  const panel = (
    <ListPanel
      empty={{ title: t('autoflow.runs.empty'), hint: t('autoflow.runs.emptyHint') }}
      filters={[
        by.one('state', {
          label: t('autoflow.runs.state'),
          options: runStates.map((value) => ({
            value,
            label: t(`autoflow.runStates.${value}`),
            tone: tones[value],
          })),
        }),
        by.instants(['from', 'to'], { id: 'period', label: t('autoflow.runs.at') }),
        ...(ruleId === undefined
          ? [by.one('rule', { label: t('autoflow.fields.rule'), options: rules })]
          : []),
        by.text('iccid', {
          label: 'ICCID',
          permanent: true,
          maxLength: 22,
          problem: (text) =>
            iccidSchema.safeParse(text).success ? undefined : t('errors.issues.invalidIccid'),
        }),
      ]}
      label={t('autoflow.runHistory')}
      list={list}
      noMatch={{ title: t('autoflow.runs.noMatch'), hint: t('autoflow.noMatchHint') }}
      rowHref={({ iccid: sim }) => `/${language}/simCard/${encodeURIComponent(sim)}`}
      rowKey={({ id }) => id}
    />
  );
  if (ruleId !== undefined) return panel;
  return (
    <Page
      facts={<ListFacts counted={(values) => t('autoflow.firings', values)} list={list} />}
      fill
      parent={<ToRules />}
      title={t('autoflow.runHistory')}
    >
      {panel}
    </Page>
  );
};

/** The search parameters in the server's format; the last day of the period is included. */
const runFilterOf = ({ iccid, state, from, to }: RuleSearch) => ({
  ...(iccid === undefined ? {} : { iccid }),
  ...(state === undefined ? {} : { state }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to: new Date(Date.parse(to) + 1).toISOString() }),
});

/** The rules by which the history of all rules can be filtered. */
const useRuleChoices = (enabled: boolean) => {
  const rules = useApiQuery({
    ...endpointQuery(endpoints.autoflow.list, { query: { page_size: 100, sort: 'name' } }),
    enabled,
  });
  return rules.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
};

const tones: Record<RuleRun['state'], Tone> = { waiting: 'orange', done: 'teal', failed: 'red' };

const useRunColumns = (isAllRules: boolean): Column<RuleRun>[] => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const measured = useMeasuredText();
  const zone = useZoneName();
  return useMemo(
    () => [
      {
        id: 'sim',
        title: t('autoflow.runs.sim'),
        width: 178,
        fixed: true,
        phone: 'heading',
        filteredBy: ['iccid'],
        render: ({ iccid }, href) => (
          <Link href={href}>
            <Identifier emphasis label="ICCID" value={iccid} />
          </Link>
        ),
      },
      ...(isAllRules
        ? [
            {
              id: 'rule',
              title: t('autoflow.fields.rule'),
              width: 180,
              phone: 'line' as const,
              render: ({ rule }: RuleRun) => <Link href={ruleHref(language, rule.id)}>{rule.name}</Link>,
            },
          ]
        : []),
      {
        id: 'at',
        title: t('kit.marks.aside', { text: t('autoflow.runs.at'), note: zone }),
        width: momentWidth,
        phone: 'aside',
        render: ({ at }) => <Time at={at} style="moment" />,
      },
      {
        id: 'measured',
        title: t('autoflow.runs.measured'),
        // Width of two IMEIs.
        width: 291,
        phone: 'line',
        render: (run) => measured(run.measured),
      },
      {
        id: 'actions',
        title: t('autoflow.runs.actions'),
        width: 260,
        phone: 'line',
        render: (run) => <RunActions run={run} />,
      },
      {
        id: 'state',
        title: t('autoflow.runs.state'),
        width: 108,
        render: ({ state }) => <Status tone={tones[state]}>{t(`autoflow.runStates.${state}`)}</Status>,
      },
      {
        id: 'chain',
        title: t('autoflow.runs.chain'),
        width: 134,
        initiallyHidden: isAllRules,
        render: ({ chain }) => chain.map(({ name }) => name).join(' → ') || '—',
      },
    ],
    [t, language, measured, zone, isAllRules],
  );
};

const RunActions = ({ run }: { run: RuleRun }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <span
      className={styles['done']}
      title={joinList(run.actions.map(({ kind }) => t(`autoflow.actionKinds.${kind}`)))}
    >
      {run.actions.map(({ kind, state, message: why, task, delivery }) => {
        const message = why ?? (delivery === 'failed' ? t('autoflow.runs.notDelivered') : null);
        const label = (
          <Status key={kind} tone={tones[delivery === null || delivery === 'delivered' ? state : delivery]}>
            {t(`autoflow.actionKinds.${kind}`)}
          </Status>
        );
        return (
          <span key={`${kind} ${task}`} title={message ?? undefined}>
            {task === null ? (
              label
            ) : (
              <Link href={`/${language}/taskcenter?task=${encodeURIComponent(task)}`}>{label}</Link>
            )}
            {message === null ? null : <small className={styles['bad']}> {message}</small>}
          </span>
        );
      })}
    </span>
  );
};
