import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Page } from '../../ui/page/index.ts';
import { ToRules } from './to-rules.tsx';

interface RuleMissingProps {
  /** Null while the rule is loading. */
  error: Error | null;
  onRetry: () => void;
}

/** Shown while a rule is not available: loading, not found, or failed. */
export const RuleMissing = ({ error, onRetry }: RuleMissingProps) => {
  const { t } = useTranslation();
  const isGone = error instanceof ApiFailure && error.http === 404;
  return (
    <Page parent={<ToRules />} title={t('autoflow.one')}>
      <Card>
        {isGone ? <Empty hint={t('autoflow.missingHint')} title={t('autoflow.missing')} /> : null}
        {error && !isGone ? <Failure error={error} onRetry={onRetry} /> : null}
        {error ? null : <Loading rows={8} />}
      </Card>
    </Page>
  );
};
