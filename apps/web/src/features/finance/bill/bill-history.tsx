import type { BillVersion } from '@simcube/contract/finance';
import { minuteMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { Dot, type Tone } from '../../../ui/status/index.ts';
import { useCalendar, useNow } from '../../../ui/time/index.ts';
import { useVersions } from '../api.ts';
import styles from './bill-history.module.css';

interface Step {
  key: string;
  text: string;
  day: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Null for today, which is a stroke. */
  tone: Tone | null;
}

/** Versions, payments and the due date of a bill on a time line with today, and as a list. */
export const BillHistory = ({ version }: { version: BillVersion }) => {
  const { t } = useTranslation();
  const now = useNow(minuteMs);
  const steps = useSteps(version, now);
  const times = [...steps.map(({ at }) => at), now];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const place = (at: number): string => `${last === first ? 0 : ((at - first) / (last - first)) * 100}%`;
  return (
    <>
      <div aria-hidden="true" className={styles['axis']}>
        <span className={styles['past']} style={{ inlineSize: place(now) }} />
        {steps.map(({ key, at, tone, text, day }) => (
          <span
            className={styles['step']}
            key={key}
            style={{ insetInlineStart: place(at) }}
            title={t('finance.part', { name: text, amount: day })}
          >
            {tone === null ? <span className={styles['today']} /> : <Dot tone={tone} />}
          </span>
        ))}
      </div>
      <ol className={styles['history']}>
        {steps.map(({ key, text, day, tone }) => (
          <li key={key}>
            <b>
              {tone === null ? <span aria-hidden="true" className={styles['today']} /> : <Dot tone={tone} />}
              {text}
            </b>
            <span>{day}</span>
          </li>
        ))}
      </ol>
    </>
  );
};

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
      day: calendar.businessFullDate(new Date(now).toISOString()),
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
