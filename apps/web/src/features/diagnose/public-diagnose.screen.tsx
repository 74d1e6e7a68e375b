import { endpoints } from '@simcube/contract';
import type { Diagnose } from '@simcube/contract/diagnose';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, attempt, call, messageOf, quoteOf } from '../../lib/api-client/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { PublicFrame } from '../public/index.ts';
import { savePdf } from './api/use-sharing.ts';
import styles from './public-diagnose.module.css';
import { Report } from './report.tsx';

/** A shared report, for readers without an account: rendered without a query client and without antd. */
export const PublicDiagnoseScreen = () => {
  const { linkId = '' } = useParams({ strict: false });
  const { report: latest, failure, retry } = useSharedReport(linkId);
  const report = failure && isGone(failure) ? undefined : latest;
  return (
    <PublicFrame wide>
      <article className={styles['page']}>
        {failure ? <Unavailable failure={failure} onRetry={retry} /> : null}
        {report ? <Shared linkId={linkId} report={report} /> : null}
        {report || failure ? null : <Pending />}
      </article>
    </PublicFrame>
  );
};

interface SharedReport {
  report: Diagnose | undefined;
  failure: ApiFailure | undefined;
  retry: () => void;
}

/** Refetched in each language, as the texts are the server's. The previous report stays until then, also below a failure. */
const useSharedReport = (linkId: string): SharedReport => {
  const language = useLanguage();
  const [report, setReport] = useState<Diagnose>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [attempts, setAttempts] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language or attempt repeats the request.
  useEffect(() => {
    const controller = new AbortController();
    call(endpoints.diagnose.readShared, { params: { linkId }, signal: controller.signal, announce: false })
      .then(({ data }) => {
        setReport(data);
        setFailure(undefined);
      })
      .catch((error: unknown) => {
        if (error instanceof ApiFailure) setFailure(error);
      });
    return () => controller.abort();
  }, [linkId, language, attempts]);
  return { report, failure, retry: () => setAttempts((before) => before + 1) };
};

const Shared = ({ linkId, report }: { linkId: string; report: Diagnose }) => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const savePdfOnce = (): void => {
    setBusy(true);
    void attempt(() => savePdf(linkId)).then(() => setBusy(false));
  };
  return (
    <>
      <header className={styles['header']}>
        <div className={styles['name']}>
          <p className={styles['kind']}>{t('simDetail.diagnosePage.public')}</p>
          <h1 className={styles['title']}>{report.iccid}</h1>
          <p className={styles['whose']}>
            {[
              report.device_name,
              t('simDetail.diagnosePage.ofOrganisation', { organisation: report.organisation }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <button
          aria-busy={busy}
          className={styles['button']}
          disabled={busy}
          onClick={savePdfOnce}
          type="button"
        >
          {t('simDetail.diagnosePage.pdf')}
        </button>
      </header>
      <Report report={report} />
    </>
  );
};

const Unavailable = ({ failure, onRetry }: { failure: ApiFailure; onRetry: () => void }) => {
  const { t } = useTranslation();
  const [title, hint] = messageKeysOf(failure);
  const quote = quoteOf(failure);
  return (
    <div className={styles['notice']} role="alert">
      <h2 className={styles['title']}>{t(title)}</h2>
      <p>{hint ? t(hint) : messageOf(failure)}</p>
      {isGone(failure) || quote === null ? null : <p>{quote}</p>}
      {isGone(failure) ? null : (
        <button className={styles['button']} onClick={onRetry} type="button">
          {t('common.actions.retry')}
        </button>
      )}
    </div>
  );
};

/** A truncated URL is rejected as malformed: for its reader that is the same as expired. */
const isGone = ({ code, http }: ApiFailure): boolean => code === 'CB-01-0019' || http === 400 || http === 404;

const messageKeysOf = (failure: ApiFailure) => {
  if (!isGone(failure)) return ['common.states.failed', undefined] as const;
  return failure.code === 'CB-01-0025'
    ? (['simDetail.diagnosePage.linkWithdrawn', 'simDetail.diagnosePage.linkWithdrawnHint'] as const)
    : (['simDetail.diagnosePage.expired', 'simDetail.diagnosePage.expiredHint'] as const);
};

const Pending = () => {
  const { t } = useTranslation();
  return (
    <div className={styles['notice']}>
      <h1 className={styles['title']}>{t('simDetail.diagnosePage.public')}</h1>
      <p role="status">{t('simDetail.diagnosePage.loading')}</p>
    </div>
  );
};
