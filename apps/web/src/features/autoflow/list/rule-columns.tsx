import type { AutoflowRule, Overshoot } from '@simcube/contract/autoflow';
import { Switch } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { useTabIndex } from '../../../ui/focus/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { dateTimeWidth, Time, useZoneName } from '../../../ui/time/index.ts';
import { ActionIcon } from '../action-icon.tsx';
import styles from '../autoflow.module.css';
import { mayWrite } from '../may-write.ts';
import { useRuleTexts } from '../use-rule-texts.ts';
import { FiredBars } from './fired-bars.tsx';
import { OvershootFigure } from './overshoot-figure.tsx';

interface RuleColumnOptions {
  /** Of rules on data usage; undefined until they are measured. */
  overshoots: readonly Overshoot[] | undefined;
  onToggle: (rule: AutoflowRule) => void;
}

export const useRuleColumns = ({ overshoots, onToggle }: RuleColumnOptions): Column<AutoflowRule>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const words = useRuleTexts();
  const zone = useZoneName();
  return useMemo(
    () => [
      {
        id: 'rule',
        title: t('autoflow.fields.rule'),
        width: 280,
        fixed: true,
        sort: 'name',
        phone: 'heading',
        filteredBy: ['trigger'],
        render: ({ name, trigger }, href) => (
          <span className={styles['two']}>
            <Link href={href} title={name}>
              <b>
                <SearchHighlight text={name} />
              </b>
            </Link>
            <small title={words.when(trigger)}>{words.when(trigger)}</small>
          </span>
        ),
      },
      {
        id: 'for',
        title: t('autoflow.fields.for'),
        width: 125,
        phone: 'line',
        filteredBy: ['scope'],
        render: ({ scope, sims }) => (
          <span className={styles['two']}>
            <span title={words.scope(scope)}>{words.scope(scope)}</span>
            <small>{t('autoflow.sims', { count: sims, shown: count(sims) })}</small>
          </span>
        ),
      },
      {
        id: 'does',
        title: t('autoflow.fields.does'),
        width: 220,
        phone: 'line',
        render: ({ actions }) => (
          <span className={styles['pills']} title={joinList(actions.map(words.action))}>
            {actions.map((action) => (
              <Pill key={JSON.stringify(action)}>
                <ActionIcon kind={action.kind} />
                {words.action(action)}
              </Pill>
            ))}
          </span>
        ),
      },
      {
        id: 'fired',
        title: t('autoflow.fields.fired'),
        width: 150,
        align: 'end',
        sort: 'fired',
        phone: 'line',
        render: ({ fired }) => (
          <span className={styles['fired']}>
            <FiredBars days={fired.days} />
            <b>{count(fired.total)}</b>
          </span>
        ),
      },
      {
        id: 'run',
        title: t('kit.marks.aside', { text: t('autoflow.fields.lastRun'), note: zone }),
        width: dateTimeWidth,
        phone: 'line',
        phoneWhen: ({ condition, last_run: run }) => run !== null || condition !== 'enabled',
        render: (rule) => <LastRun rule={rule} />,
      },
      {
        id: 'overshoot',
        title: t('autoflow.fields.overshoot'),
        width: 104,
        align: 'end',
        render: ({ id, trigger }) =>
          trigger.kind === 'data-usage' ? (
            <OvershootFigure overshoot={overshoots?.find(({ rule_id }) => rule_id === id)} ruleId={id} />
          ) : (
            '—'
          ),
      },
      {
        id: 'targets',
        title: t('autoflow.fields.targets'),
        width: 200,
        initiallyHidden: true,
        render: ({ targets }) => {
          const names = joinList(targets.flatMap((target) => target?.name ?? []));
          return names === '' ? '—' : <span title={names}>{names}</span>;
        },
      },
      {
        id: 'from',
        title: t('autoflow.fields.activeFrom'),
        width: dateTimeWidth,
        initiallyHidden: true,
        render: ({ active_from: from }) => (from === null ? t('autoflow.atOnce') : <Time at={from} />),
      },
      {
        id: 'until',
        title: t('autoflow.fields.activeUntil'),
        width: dateTimeWidth,
        initiallyHidden: true,
        render: ({ active_until: until }) => (until === null ? t('autoflow.never') : <Time at={until} />),
      },
      {
        id: 'created',
        title: t('autoflow.fields.created'),
        width: dateTimeWidth,
        sort: 'created_at',
        initiallyHidden: true,
        render: ({ created_at: at }) => <Time at={at} />,
      },
      {
        id: 'by',
        title: t('autoflow.fields.createdBy'),
        width: 150,
        initiallyHidden: true,
        render: ({ created_by: who }) => who ?? '—',
      },
      {
        id: 'id',
        title: t('autoflow.fields.id'),
        width: 120,
        initiallyHidden: true,
        render: ({ id }) => <Identifier copy label={t('autoflow.fields.id')} value={id} />,
      },
      {
        id: 'on',
        title: t('autoflow.fields.on'),
        width: 64,
        phone: 'line',
        render: (rule) => <EnabledSwitch onToggle={onToggle} rule={rule} />,
      },
    ],
    [t, count, words, zone, overshoots, onToggle],
  );
};

const EnabledSwitch = ({
  rule,
  onToggle,
}: {
  rule: AutoflowRule;
  onToggle: (rule: AutoflowRule) => void;
}) => {
  const { t } = useTranslation();
  const tabIndex = useTabIndex();
  return (
    <Switch
      aria-label={t('autoflow.enableOf', { name: rule.name })}
      checked={rule.enabled}
      disabled={!mayWrite()}
      onChange={() => onToggle(rule)}
      size="small"
      {...(tabIndex === undefined ? {} : { tabIndex })}
    />
  );
};

const runTones: Record<'waiting' | 'done' | 'failed', Tone> = {
  waiting: 'orange',
  done: 'teal',
  failed: 'red',
};

const LastRun = ({
  rule: { condition, active_from: from, active_until: until, last_run: run },
}: {
  rule: AutoflowRule;
}) => {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  if (condition === 'waiting' && from !== null)
    return (
      <span className={styles['two']}>
        <span>{t('autoflow.begins', { time: dateTime(from) })}</span>
        <Status tone="purple">{t('autoflow.conditions.waiting')}</Status>
      </span>
    );
  if (run === null) return condition === 'ended' ? <Ended until={until} /> : '—';
  return (
    <span className={styles['two']}>
      <Time at={run.at} />
      <Status tone={runTones[run.state]}>
        {run.failed > 0
          ? t('autoflow.failedOf', { failed: run.failed, actions: run.actions })
          : t(`autoflow.runStates.${run.state}`)}
      </Status>
    </span>
  );
};

const Ended = ({ until }: { until: string | null }) => {
  const { t } = useTranslation();
  return (
    <span className={styles['two']}>
      <Time at={until} />
      <Status tone="grey">{t('autoflow.conditions.ended')}</Status>
    </span>
  );
};
