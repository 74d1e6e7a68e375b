import { limits } from '@simcube/contract';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { measureOf, TextField } from '../../message-text/index.ts';
import type { Draft, Issues } from './draft.ts';
import styles from './editor.module.css';
import { Field } from './field.tsx';
import { SimsDialog } from './sims-dialog.tsx';

export interface EditorCardProps {
  draft: Draft;
  issues: Issues;
  disabled: boolean;
  onChange: (change: Partial<Draft>) => void;
}

interface TextCardProps extends EditorCardProps {
  /** Number of SIMs in the stored schedule. */
  storedSims: number;
  /** Number of SIMs that the filter currently matches; undefined while they are being counted. */
  matchingSims: number | undefined;
}

/** The text and its recipients. */
export const TextCard = ({ draft, issues, disabled, storedSims, matchingSims, onChange }: TextCardProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const [editing, setEditing] = useState(false);
  const recipientsText = (): string => {
    const { selection } = draft;
    if (selection && 'filter' in selection)
      return matchingSims === undefined
        ? t('schedule.simsCounted')
        : t('schedule.simsFound', { count: matchingSims, shown: count(matchingSims) });
    const sims = selection?.iccids.length ?? storedSims;
    return sims === 0 ? t('schedule.noSims') : t('schedule.simsOf', { count: sims, shown: count(sims) });
  };
  return (
    <Card className={styles['text']}>
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Field
            extra={t('schedule.lengthName', { used: [...draft.name].length, max: limits.schedules.name })}
            id={`${id}-name`}
            issue={issues['name']}
            label={t('schedule.fields.name')}
          >
            <Input
              aria-invalid={issues['name'] !== undefined}
              autoComplete="off"
              disabled={disabled}
              id={`${id}-name`}
              onChange={({ target }) => onChange({ name: target.value })}
              status={issues['name'] ? 'error' : ''}
              value={draft.name}
            />
          </Field>
          <Field id={`${id}-to`} issue={issues['selection']} label={t('schedule.fields.to')}>
            <div className={styles['to']}>
              <span>{recipientsText()}</span>
              <Button
                aria-label={`${t('schedule.edit')}: ${t('schedule.fields.to')}`}
                disabled={disabled}
                id={`${id}-to`}
                onClick={() => setEditing(true)}
                size="small"
                type="link"
              >
                {t('schedule.edit')}
              </Button>
            </div>
          </Field>
        </div>
        <div className={styles['column']}>
          <TextField
            disabled={disabled}
            issue={issues['content']}
            label={t('schedule.fields.text')}
            measure={measureOf(draft.content)}
            onChange={(content) => onChange({ content })}
            rows={4}
            value={draft.content}
          />
          <p className={styles['faint']}>{t('schedule.replies')}</p>
        </div>
      </div>
      <SimsDialog
        onClose={() => setEditing(false)}
        onSelection={(selection) => onChange({ selection })}
        open={editing}
        selection={draft.selection}
      />
    </Card>
  );
};
