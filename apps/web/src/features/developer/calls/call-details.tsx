import type { ApiCall } from '@simcube/contract/developer';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { curlOf } from '../exchange/curl.ts';
import { DetailsPanel } from '../exchange/details-panel.tsx';
import { CopyCurl, Exchange } from '../exchange/exchange.tsx';
import { useKeyName } from '../keys/use-keys.ts';
import { HttpCode } from './http-code.tsx';
import { useCall } from './use-calls.ts';

interface CallDetailsProps {
  traceId: string;
  onClose: (() => void) | undefined;
}

/** One call with its request and response, secrets masked. */
export const CallDetails = ({ traceId, onClose }: CallDetailsProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(traceId);
  const call = data?.data[0];
  return (
    <DetailsPanel
      identifier={<Identifier copy label={t('developer.calls.trace')} value={traceId} />}
      onClose={onClose}
      state={call ? <HttpCode code={call.http_code} /> : null}
      title={<span>{call ? call.method : t('developer.calls.one')}</span>}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading rows={10} />}
      {data && !call ? (
        <Empty hint={t('developer.calls.goneHint')} small title={t('developer.calls.gone')} />
      ) : null}
      {call ? <CallContent call={call} /> : null}
    </DetailsPanel>
  );
};

const CallContent = ({ call }: { call: ApiCall }) => {
  const { t } = useTranslation();
  const { count, bytes } = useFormat();
  const nameOf = useKeyName();
  const copy = useCopy();
  const url = `${window.location.origin}${call.path}`;
  return (
    <>
      <DescriptionList
        items={[
          { term: t('developer.calls.path'), value: <SafeText text={call.path} /> },
          { term: t('developer.time'), value: <Time at={call.requested_at} style="exact" /> },
          { term: t('developer.calls.took'), value: t('developer.ms', { shown: count(call.duration_ms) }) },
          { term: t('developer.calls.key'), value: <SafeText text={nameOf(call.key)} /> },
          { term: t('developer.calls.ip'), value: <code>{call.ip}</code> },
          { term: t('developer.calls.answer'), value: call.code },
        ]}
      />
      <Exchange
        aside={<code>{call.method}</code>}
        body={call.body}
        extra={
          <CopyCurl
            onCopy={() =>
              copy(curlOf({ method: call.method, url, headers: call.header ?? {}, body: call.body }))
            }
          />
        }
        headers={call.header}
        title={t('developer.request')}
        noBodyText={t('developer.noBody')}
      />
      <Exchange
        aside={<HttpCode code={call.http_code} />}
        body={call.response}
        extra={bytes(call.response_bytes).text}
        headers={null}
        title={t('developer.response')}
        noBodyText={t('developer.noBody')}
      />
    </>
  );
};
