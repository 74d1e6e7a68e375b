import type { DataThreshold, Overshoot } from '@simcube/contract/autoflow';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useTabIndex } from '../../../ui/focus/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Popover } from '../../../ui/popover/index.ts';
import { thresholdHref } from '../addresses.ts';
import styles from '../autoflow.module.css';
import { mayWrite } from '../may-write.ts';
import { useRuleTexts } from '../use-rule-texts.ts';
import { isNotable } from './notable.ts';
import { OvershootLine } from './overshoot-line.tsx';

interface OvershootFigureProps {
  overshoot: Overshoot | undefined;
  ruleId: string;
}

const megabit = 1_000_000;

/** How far usage can exceed the threshold before the actions are complete, and how this is computed. */
export const OvershootFigure = ({ overshoot, ruleId }: OvershootFigureProps) => {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const tabIndex = useTabIndex();
  if (overshoot === undefined || overshoot.worst_bytes === null) return '—';
  const worst = bytes(overshoot.worst_bytes).text;
  return (
    <Popover
      content={<Measured overshoot={overshoot} ruleId={ruleId} worst={worst} />}
      label={t('autoflow.overshoot.title', { worst })}
      placement="bottomRight"
    >
      <Button
        className={`${styles['worst']} ${isNotable(overshoot) ? styles['figure'] : ''}`}
        size="small"
        type="text"
        {...(tabIndex === undefined ? {} : { tabIndex })}
      >
        {t('autoflow.overshoot.atMost', { worst })}
      </Button>
    </Popover>
  );
};

const Measured = ({ overshoot, ruleId, worst }: { overshoot: Overshoot; ruleId: string; worst: string }) => {
  const { t } = useTranslation();
  const { bytes, count, rounded } = useFormat();
  const words = useRuleTexts();
  const { interval_s: interval, delay_s: delay, fastest_bps: fastest, seen_bytes: seen, safer } = overshoot;
  const rate = (bps: number | null): string =>
    bps === null
      ? '—'
      : bps < megabit
        ? `${count(Math.round(bps / 1000))} kbit/s`
        : `${rounded(bps / megabit)} Mbit/s`;
  const seconds = (span: number | null): string =>
    span === null ? '—' : t('autoflow.overshoot.seconds', { seconds: rounded(span) });
  const facts = [
    {
      term: t('autoflow.overshoot.fastest', {
        count: overshoot.measured_sims,
        shown: count(overshoot.measured_sims),
      }),
      value: rate(fastest),
    },
    { term: t('autoflow.overshoot.delay'), value: seconds(delay) },
    { term: t('autoflow.overshoot.seen'), value: seen === null ? '—' : bytes(seen).text },
  ];
  return (
    <div className={styles['measured']}>
      <h2>{t('autoflow.overshoot.title', { worst })}</h2>
      <p className={styles['faint']}>
        {t('autoflow.overshoot.why', {
          seconds: count(interval),
          threshold: words.threshold(overshoot.threshold),
        })}
      </p>
      <OvershootLine
        delay={seconds(delay)}
        interval={count(interval)}
        threshold={words.threshold(overshoot.threshold)}
      />
      <dl>
        {facts.map(({ term, value }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {safer === null ? null : (
        <div className={styles['line']}>
          <span>{t('autoflow.overshoot.below', { threshold: words.threshold(overshoot.threshold) })}</span>
          <SaferThreshold ruleId={ruleId} threshold={safer} />
        </div>
      )}
    </div>
  );
};

const SaferThreshold = ({ ruleId, threshold }: { ruleId: string; threshold: DataThreshold }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const text = t('autoflow.overshoot.set', { threshold: useRuleTexts().threshold(threshold) });
  return mayWrite() ? <Link href={thresholdHref(language, ruleId, threshold)}>{text}</Link> : text;
};
