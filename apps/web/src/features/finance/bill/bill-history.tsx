import type { BillVersion } from '@simcube/contract/finance';
import { minuteMs } from '@simcube/contract/time';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { textWidth, useWidth } from '../../../ui/chart/index.ts';
import { Dot, type Tone } from '../../../ui/status/index.ts';
import { useCalendar, useNow } from '../../../ui/time/index.ts';
import { useVersions } from '../api.ts';
import styles from './bill-history.module.css';
import { labelStarts } from './history-labels.ts';

interface Step {
  key: string;
  text: string;
  day: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Null for today, which is a stroke. */
  tone: Tone | null;
}

/** The width of a step's label; its text is bold, and larger than those of charts. */
const labelWidth = ({ text, day }: Step): number =>
  Math.ceil(Math.max(textWidth(text) * 1.25, textWidth(day)));

/** Versions, payments and the due date of a bill on a time line with today; as a list where there is no room for its labels. */
export const BillHistory = ({ version }: { version: BillVersion }) => {
  const { t } = useTranslation();
  const now = useNow(minuteMs);
  const steps = useSteps(version, now);
  const times = [...steps.map(({ at }) => at), now];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const share = (at: number): number => (last === first ? 0 : (at - first) / (last - first));
  const place = (at: number): string => `${share(at) * 100}%`;
  const line = useRef<HTMLDivElement>(null);
  const width = useWidth(line) ?? 0;
  const starts = labelStarts(
    steps.map((step) => ({ x: share(step.at) * width, width: labelWidth(step) })),
    width,
  );
  return (
    <div className={styles['line']}>
      <div aria-hidden="true" className={styles['axis']} ref={line}>
        <span className={styles['past']} style={{ inlineSize: place(now) }} />
        {steps.map(({ key, at, tone, text, day }) => (
          <span
            className={styles['step']}
            key={key}
            style={{ insetInlineStart: place(at) }}
            title={t('finance.part', { name: text, amount: day })}
          >
            <Mark tone={tone} />
          </span>
        ))}
      </div>
      <ol className={starts ? styles['labels'] : styles['history']}>
        {steps.map((step, index) => (
          <li
            key={step.key}
            style={starts ? { insetInlineStart: starts[index], inlineSize: labelWidth(step) } : undefined}
          >
            <b>
              {starts ? null : <Mark tone={step.tone} />}
              {step.text}
            </b>
            <span>{step.day}</span>
          </li>
        ))}
      </ol>
    </div>
  );
};

const Mark = ({ tone }: Pick<Step, 'tone'>) =>
  tone === null ? <span aria-hidden="true" className={styles['today']} /> : <Dot tone={tone} />;

/** In chronological order; the due date only if there is something to pay. */
const useSteps = ({ bill, payments }: BillVersion, now: number): Step[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const versions = useVersions(bill.id).data?.data ?? [];
  const steps = [
    ...versions.map(({ id, version, issued_at: issued, computed_at: computed }) => ({
      key: id,
      text: t(issued === null ? 'finance.story.draft' : 'finance.story.issued', { version }),
      day: calendar.businessFullDate(issued ?? computed),
      at: Date.parse(issued ?? computed),
      tone: id === bill.id && issued !== null ? ('purple' as const) : ('grey' as const),
    })),
    ...payments.map(({ reference, amount_minor, paid_on: paid }) => ({
      key: reference,
      text: t('finance.story.paid', { amount: format.money({ currency: bill.currency, amount_minor }) }),
      day: calendar.day(paid),
      // Only its day is known: after a version that was issued on that day, but not in the future.
      at: Math.min(businessDays.endOf(paid), now),
      tone: 'teal' as const,
    })),
    {
      key: 'today',
      text: t('finance.story.today'),
      // It may be another day in the zone of the times on screen.
      day: t('kit.marks.aside', {
        text: calendar.businessFullDate(new Date(now).toISOString()),
        note: businessDays.zone(),
      }),
      at: now,
      tone: null,
    },
  ];
  const due = bill.to_pay_minor > 0 ? bill.due_on : null;
  return [
    ...steps,
    ...(due === null
      ? []
      : [
          {
            key: 'due',
            text: t('finance.fields.due'),
            day: calendar.day(due),
            at: businessDays.endOf(due),
            tone: bill.state === 'expired' ? ('red' as const) : ('orange' as const),
          },
        ]),
  ].toSorted((one, other) => one.at - other.at);
};
