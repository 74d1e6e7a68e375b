import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../lib/api-client/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import { Dot } from '../../ui/status/index.ts';
import { Ago, clock } from '../../ui/time/index.ts';
import styles from './connection-notice.module.css';
import type { ConnectionProblem } from './connection-problem.ts';

interface ConnectionNoticeProps {
  problem: ConnectionProblem | null;
  onRetry: () => void;
}

/** Shown above a page that is not up to date: the reason, the time of the data, and a button to try again now. */
export const ConnectionNotice = ({ problem, onRetry }: ConnectionNoticeProps) => {
  const { t } = useTranslation();
  return (
    <section
      aria-label={problem ? t('shell.trouble.label') : undefined}
      className={problem ? styles['notice'] : undefined}
      data-kind={problem?.kind}
    >
      {/* Always in the document: screen readers announce changes inside it. */}
      <p className={styles['words']} role="status">
        {problem ? (
          <>
            <Dot tone={problem.kind === 'slow' ? 'orange' : 'red'} />
            <strong>
              {problem.failure ? messageOf(problem.failure) : t(`shell.trouble.${reasons[problem.kind]}`)}
            </strong>
            <ShownAsOf at={problem.at} />
          </>
        ) : null}
      </p>
      {problem ? (
        <>
          {problem.at === null ? null : (
            <span className={styles['age']}>
              <Ago at={new Date(problem.at).toISOString()} />
            </span>
          )}
          <Button onClick={onRetry} size="small">
            {t('common.actions.retry')}
          </Button>
        </>
      ) : null}
    </section>
  );
};

const reasons = { lost: 'lost', failing: 'lost', slow: 'slow', unheard: 'unheard' } as const;

const ShownAsOf = ({ at }: { at: number | null }) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (at === null) return <span>{t('shell.trouble.retrying')}</span>;
  return <span>{t('shell.trouble.shown', { time: clock(format, new Date(at).toISOString()) })}</span>;
};
