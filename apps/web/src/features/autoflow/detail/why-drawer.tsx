import { endpoints } from '@simcube/contract';
import type { Why } from '@simcube/contract/autoflow';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import styles from '../autoflow.module.css';
import { useFigureText } from './use-measured-text.ts';

interface WhyDrawerProps {
  ruleId: string;
  /** The drawer is closed if undefined. */
  iccid: string | undefined;
  onClose: () => void;
}

/** Why a rule has or has not fired for a SIM: what is compared, and which conditions are not met. */
export const WhyDrawer = ({ ruleId, iccid, onClose }: WhyDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer onClose={onClose} open={iccid !== undefined} title={t('autoflow.why.title')}>
      {iccid === undefined ? null : <Explanation iccid={iccid} ruleId={ruleId} />}
    </Drawer>
  );
};

const Explanation = ({ ruleId, iccid }: { ruleId: string; iccid: string }) => {
  const { data, error, refetch } = useApiQuery(
    endpointQuery(endpoints.autoflow.why, { params: { ruleId }, query: { iccid } }),
  );
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  return data ? <Comparisons why={data.data} /> : <Loading rows={3} />;
};

const tones: Record<Why['verdict'], Tone> = {
  fired: 'purple',
  waiting: 'teal',
  prevented: 'orange',
  due: 'teal',
};

const Comparisons = ({ why }: { why: Why }) => {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const figure = useFigureText();
  const shown = ({ check, unit }: Why['comparisons'][number], value: string | number): string => {
    // The customer's own text: a tag may be spelt like a country or a status.
    const isOwn = check === 'in-scope' && unit === null;
    return isOwn ? String(value) || t('common.states.none') : figure(value, unit);
  };
  return (
    <>
      <p>
        <Identifier copy label="ICCID" value={why.iccid} />
      </p>
      <Status tone={tones[why.verdict]}>{t(`autoflow.why.verdicts.${why.verdict}`)}</Status>
      <ul className={styles['checks']}>
        {why.comparisons.map((comparison) => {
          const { check, met, value, wanted, at } = comparison;
          return (
            <li key={check}>
              <Status tone={met ? 'teal' : 'orange'}>{t(`autoflow.why.checks.${check}`)}</Status>
              <p className={styles['faint']}>
                {t(met ? 'autoflow.why.met' : 'autoflow.why.notMet')}
                {value === null || check === 'enabled' ? null : ` · ${shown(comparison, value)}`}
                {wanted === null || check === 'enabled'
                  ? null
                  : ` · ${t('autoflow.why.wanted', { wanted: shown(comparison, wanted) })}`}
                {at === null ? null : ` · ${dateTime(at)}`}
              </p>
            </li>
          );
        })}
      </ul>
      {why.last_fired === null ? null : (
        <p className={styles['faint']}>
          {t('autoflow.why.lastFired', { time: dateTime(why.last_fired.at) })}
        </p>
      )}
    </>
  );
};
