import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Sparkline, type SparklineProps } from '../../../ui/sparkline/index.ts';
import styles from './figure-card.module.css';

export interface FigureCardProps {
  label: string;
  value: string;
  /** Unit, or the total that it is a part of. */
  suffix?: string;
  /** Exact value, shown on hover. */
  exact?: string;
  comparison: ReactNode;
  tone: 'good' | 'bad' | 'attention' | 'plain';
  trend: readonly number[];
  /** Its trend counts by day: today's value is incomplete. */
  unfinished?: boolean;
  colour: SparklineProps['colour'] & string;
  /** Link to the list behind the figure. */
  href?: string | undefined;
}

/** One figure, its comparison, and its last days. */
export const FigureCard = (props: FigureCardProps) => {
  const { label, value, suffix, exact, comparison, tone, trend, unfinished = false, colour, href } = props;
  const { t } = useTranslation();
  return (
    <Card className={styles['card']}>
      <p className={styles['label']}>{href ? <Link href={href}>{label}</Link> : label}</p>
      <div className={styles['row']}>
        <p className={styles['value']} title={exact}>
          {value}
          {suffix ? <span className={styles['suffix']}> {suffix}</span> : null}
        </p>
        <Sparkline
          colour={colour}
          height={22}
          label={t('dashboard.cards.trend', { label })}
          unfinished={unfinished}
          values={trend}
          width={76}
        />
      </div>
      <p className={styles['comparison']} data-tone={tone}>
        {comparison}
      </p>
    </Card>
  );
};
