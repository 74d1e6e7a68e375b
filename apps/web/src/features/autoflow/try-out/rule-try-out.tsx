import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../../../ui/select/index.ts';
import styles from '../autoflow.module.css';
import { type Draft, evaluatedPartsOf } from '../editor/draft.ts';
import { useAllTemplates } from '../templates/use-templates.ts';
import { TryOut } from './try-out.tsx';

/** Tries a rule as currently edited, with the texts of one of its templates. */
export const RuleTryOut = ({ draft }: { draft: Draft }) => {
  const { t } = useTranslation();
  const id = useId();
  const templates = useAllTemplates().data?.data ?? [];
  const [chosen, setChosen] = useState(templateOf(draft));
  return (
    <div className={styles['stack']}>
      {templates.length > 0 ? (
        <div className={styles['words']}>
          <label htmlFor={id}>{t('autoflow.tryOut.template')}</label>
          <Select<string>
            id={id}
            onChange={(value) => setChosen(value === '' ? null : value)}
            options={[
              { value: '', label: t('autoflow.ownWords') },
              ...templates.map(({ id: value, name }) => ({ value, label: name })),
            ]}
            style={{ width: '100%' }}
            value={chosen ?? ''}
          />
        </div>
      ) : null}
      <TryOut
        event={evaluatedPartsOf(draft)?.trigger}
        name={draft.name.trim() === '' ? t('autoflow.one') : draft.name}
        unfinished={t('autoflow.tryOut.triggerFirst')}
        words={{ template_id: chosen }}
      />
    </div>
  );
};

/** The first template that an action uses. */
const templateOf = ({ actions }: Draft): string | null =>
  actions
    .flatMap((action) => ('template_id' in action ? [action.template_id] : []))
    .find((one) => one !== null) ?? null;
