import { endpoints, type Language, languages, limits, type RequestOf } from '@simcube/contract';
import type { TryResponse } from '@simcube/contract/autoflow';
import { keepPreviousData } from '@tanstack/react-query';
import { Button } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from '../autoflow.module.css';
import { useTargets } from '../editor/use-targets.ts';
import { SimField, useSims } from './sim-field.tsx';

type TryBody = RequestOf<typeof endpoints.autoflow.tryBody>['body'];

interface TryOutProps {
  /** The rule's name. */
  name: string;
  /** Undefined while incomplete. */
  event: TryBody['event'] | undefined;
  /** Undefined while incomplete. */
  words: Pick<TryBody, 'template_id' | 'texts'> | undefined;
  /** What is missing before a preview can be shown. */
  unfinished: string;
}

const forms = ['mail', 'sms', 'api'] as const;
type Form = (typeof forms)[number];

/**
 * The notification that a rule would send about a SIM, with the SIM's own values. It can be sent once; nothing fires. For people who
 * may change rules.
 */
export const TryOut = ({ name, event, words, unfinished }: TryOutProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const { data: sims, error, refetch } = useSims('');
  const iccid = chosen ?? sims?.data[0]?.iccid;
  const body =
    iccid === undefined || event === undefined || words === undefined
      ? undefined
      : { name, event, iccid, ...words };
  if (error && !sims) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles['stack']}>
      <div className={styles['words']}>
        <label htmlFor={id}>{t('autoflow.tryOut.sim')}</label>
        <SimField iccid={iccid} id={id} onIccid={setChosen} />
      </div>
      {body ? (
        <>
          <Preview body={body} />
          <Sending body={body} />
        </>
      ) : (
        <p className={styles['faint']}>
          {event === undefined || words === undefined ? unfinished : sims && t('autoflow.tryOut.noSim')}
        </p>
      )}
    </div>
  );
};

const Preview = ({ body }: { body: TryBody }) => {
  const { t } = useTranslation();
  const { language: own } = useFormat();
  const [form, setForm] = useState<Form>('mail');
  const [language, setLanguage] = useState<Language>(own);
  const debouncedBody = useDebounced(JSON.stringify(body), limits.searchDebounceMs);
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(endpoints.autoflow.tryBody, { body: JSON.parse(debouncedBody) as TryBody }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} />;
  return (
    <>
      <div className={styles['line']}>
        <Segmented
          label={t('autoflow.tryOut.form')}
          onChange={setForm}
          options={forms.map((value) => ({ value, label: t(`autoflow.actions.${value}`) }))}
          small
          value={form}
        />
        {form === 'api' ? null : (
          <Segmented
            label={t('autoflow.tryOut.language')}
            onChange={setLanguage}
            options={languages.map((value) => ({
              value,
              label: <span lang={value}>{t(`common.languageShort.${value}`)}</span>,
            }))}
            small
            value={language}
          />
        )}
      </div>
      <PreviewText response={data.data} form={form} language={language} />
    </>
  );
};

const PreviewText = ({
  response,
  form,
  language,
}: {
  response: TryResponse;
  form: Form;
  language: Language;
}) => {
  const { t } = useTranslation();
  const label = t('autoflow.tryOut.preview');
  const message = response.messages.find((one) => one.language === language);
  return (
    <section aria-label={label} className={styles['sampleText']} lang={form === 'api' ? 'en' : language}>
      {form === 'mail' ? (
        <>
          <strong>
            <SafeText text={message?.subject ?? ''} />
          </strong>
          <SafeText text={message?.text ?? ''} />
        </>
      ) : null}
      {form === 'sms' ? <SafeText text={message?.sms ?? ''} /> : null}
      {form === 'api' ? <pre>{JSON.stringify(response.request, null, 2)}</pre> : null}
    </section>
  );
};

const Sending = ({ body }: { body: TryBody }) => {
  const { t } = useTranslation();
  const targets = useTargets(undefined);
  const [target, setTarget] = useState<string>();
  const [busy, setBusy] = useState(false);
  const all = forms.flatMap((form) =>
    targets[form].map(({ id, name, label }) => ({
      value: id,
      name,
      label: `${t(`autoflow.actions.${form}`)} · ${label}`,
    })),
  );
  const send = async (groupId: string): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      await call(endpoints.autoflow.trySend, { body: { ...body, group_id: groupId } });
      toast.success(
        t('autoflow.tryOut.sent', { name: all.find(({ value }) => value === groupId)?.name ?? '' }),
      );
    });
    setBusy(false);
  };
  if (all.length === 0) return null;
  return (
    <div className={styles['sending']}>
      <Select<string>
        aria-label={t('autoflow.tryOut.sendTo')}
        onChange={setTarget}
        options={all}
        placeholder={t('autoflow.tryOut.sendTo')}
        style={{ width: '100%' }}
        {...(target === undefined ? {} : { value: target })}
      />
      <Button
        disabled={target === undefined}
        loading={busy}
        onClick={() => target !== undefined && void send(target)}
      >
        {t('autoflow.tryOut.send')}
      </Button>
    </div>
  );
};
