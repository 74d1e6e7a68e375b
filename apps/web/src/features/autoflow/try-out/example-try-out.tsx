import { endpoints } from '@simcube/contract';
import type { AutoflowTemplate, TriggerKind } from '@simcube/contract/autoflow';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Select } from '../../../ui/select/index.ts';
import styles from '../autoflow.module.css';
import { emptyDraft, evaluatedPartsOf } from '../editor/draft.ts';
import { TryOut } from './try-out.tsx';

/** A rule of the kind, with a condition that applies to any organisation. */
const exampleOf = (kind: TriggerKind) =>
  evaluatedPartsOf({
    ...emptyDraft,
    kind,
    amount: kind === 'data-usage' ? emptyDraft.amount : 30,
    countries: ['ES'],
  })?.trigger;

/** Tries texts that no rule uses yet, as a rule of a chosen kind would send them. */
export const ExampleTryOut = ({ texts }: { texts: AutoflowTemplate['texts'] | undefined }) => {
  const { t } = useTranslation();
  const id = useId();
  const [kind, setKind] = useState<TriggerKind>(emptyDraft.kind);
  const offers = useApiQuery(endpointQuery(endpoints.autoflow.triggers, { params: { trigger: 'all' } })).data
    ?.data;
  const kinds = offers?.map((offer) => offer.kind) ?? [kind];
  return (
    <div className={styles['stack']}>
      <div className={styles['words']}>
        <label htmlFor={id}>{t('autoflow.fields.trigger')}</label>
        <Select<TriggerKind>
          id={id}
          onChange={setKind}
          options={kinds.map((value) => ({ value, label: t(`autoflow.triggers.${value}`) }))}
          style={{ width: '100%' }}
          value={kind}
        />
      </div>
      <TryOut
        event={exampleOf(kind)}
        name={t(`autoflow.triggers.${kind}`)}
        words={texts && { texts }}
        unfinished={t('autoflow.tryOut.wordsFirst')}
      />
    </div>
  );
};
