import type { AuditEntry } from '@simcube/contract/audit';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { entryText } from '../../audit-text/index.ts';
import { fieldLabel, inDisplayOrder } from '../audit-texts.ts';
import { useValueText } from '../use-value-text.ts';
import styles from './audit.module.css';
import { Hash } from './hash.tsx';

interface EntryDrawerProps {
  entry: AuditEntry | undefined;
  /** Shown instead while there is no entry; the drawer is closed without either. */
  fallback: ReactNode;
  onClose: () => void;
}

/** One entry of the audit trail: the person, the action, and each value before and after. */
export const EntryDrawer = ({ entry, fallback, onClose }: EntryDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer
      onClose={onClose}
      open={entry !== undefined || fallback !== null}
      title={entry ? entryText(entry, t) : t('audit.title')}
      width={600}
    >
      {entry ? <Entry entry={entry} /> : fallback}
    </Drawer>
  );
};

const Entry = ({ entry }: { entry: AuditEntry }) => {
  const { t } = useTranslation();
  const { actor, subject } = entry;
  return (
    <>
      <DescriptionList
        items={[
          { term: t('audit.fields.at'), value: <Time at={entry.at} style="exact" /> },
          {
            term: t('audit.fields.actor'),
            value: t('kit.marks.aside', {
              text: actor.name,
              note: t(`audit.actorKinds.${actor.kind}`),
            }),
          },
          {
            term: t('audit.fields.subject'),
            value: t('kit.marks.aside', {
              text: subject.name,
              note: t(`audit.subjectKinds.${subject.kind}`),
            }),
          },
          { term: t('audit.fields.address'), value: entry.address },
          {
            term: t('audit.fields.trace'),
            value: entry.trace_id && (
              <Identifier copy label={t('audit.fields.trace')} value={entry.trace_id} />
            ),
          },
          { term: t('audit.fields.number'), value: entry.number },
          { term: t('audit.fields.hash'), value: <Hash value={entry.hash} /> },
        ]}
      />
      <p className={styles['hash']}>{t('audit.hashHint')}</p>
      <h2 className={styles['section']}>{t('audit.what')}</h2>
      <Difference after={entry.after} before={entry.before} />
    </>
  );
};

const Difference = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>) => {
  const { t } = useTranslation();
  const valueText = useValueText();
  const values = { ...before, ...after };
  const fields = inDisplayOrder(Object.keys(values));
  if (fields.length === 0) return <p className={styles['quiet']}>{t('audit.noValues')}</p>;
  return (
    <div className={styles['scroll']}>
      <table className={styles['diff']}>
        <thead>
          <tr>
            <th scope="col">{t('audit.field')}</th>
            <th scope="col">{t('audit.before')}</th>
            <th scope="col">{t('audit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr data-changed={before && after ? 'true' : undefined} key={field}>
              <th scope="row">{fieldLabel(field, t)}</th>
              <td className={styles['before']}>{valueText(field, before?.[field], values)}</td>
              <td className={styles['after']}>{valueText(field, after?.[field], values)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
