import { type Diagnose, type Light, lights } from '@simcube/contract/diagnose';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { instants } from '../../lib/time/index.ts';
import { LightSign } from './light.tsx';
import styles from './report.module.css';

/** Findings and advice, check by check. Does not use antd, because the public page shows it too. */
export const Report = ({ report }: { report: Diagnose }) => {
  const { t } = useTranslation();
  const format = useFormat();
  // As in the sentences, which are the same for everyone with whom the report is shared.
  const utc = instants(format.language, 'UTC');
  const countOf = (light: Light): string =>
    format.count(report.checks.filter((check) => check.light === light).length);
  return (
    <div className={styles['report']}>
      <div className={styles['overall']} data-light={report.overall}>
        <LightSign light={report.overall} size={34} />
        <div>
          <p className={styles['verdict']}>{t(`diagnose.overall.${report.overall}`)}</p>
          <p className={styles['counts']}>
            {t(
              'simDetail.diagnosePage.counts',
              Object.fromEntries(lights.map((light) => [light, countOf(light)])) as Record<Light, string>,
            )}
            {' · '}
            <time dateTime={report.made_at} title={format.exact(report.made_at)}>
              {t('simDetail.diagnosePage.madeAt', { time: utc.format(report.made_at, 'exact') })}
            </time>
          </p>
        </div>
      </div>
      <ol aria-label={t('simDetail.diagnosePage.list')} className={styles['checks']}>
        {report.checks.map(({ check, light, sentence, advice }) => (
          <li className={styles['check']} key={check}>
            <LightSign light={light} />
            <div className={styles['words']}>
              <p className={styles['head']}>
                <strong>{t(`diagnose.checks.${check}`)}</strong>
                <span className={styles['light']} data-light={light}>
                  {t(`diagnose.lights.${light}`)}
                </span>
              </p>
              <p className={styles['sentence']}>{sentence}</p>
              {advice === null ? null : (
                <p className={styles['advice']}>
                  <b>{t('simDetail.diagnosePage.whatToDo')}</b> {advice}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
};
