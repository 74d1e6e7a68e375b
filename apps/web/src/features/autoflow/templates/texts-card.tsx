import { type Language, languages, limits } from '@simcube/contract';
import { type TemplateField, type TemplateText, templateFields } from '@simcube/contract/autoflow';
import { Button, Input } from 'antd';
import { type FocusEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import styles from '../autoflow.module.css';
import { IssueMessage } from '../editor/card-parts.tsx';
import { hasText, type TemplateDraft, type TemplateIssues, type TemplatePart } from './template-draft.ts';

interface TextsCardProps {
  texts: TemplateDraft['texts'];
  issues: TemplateIssues;
  disabled: boolean;
  onTexts: (texts: TemplateDraft['texts']) => void;
}

const parts = ['subject', 'text', 'sms'] as const satisfies readonly TemplatePart[];
const maximum: Record<TemplatePart, number> = {
  subject: limits.autoflow.subject,
  text: limits.autoflow.text,
  sms: limits.sms.content,
};
type Place = { part: TemplatePart; start: number; end: number };

/** The initial place for inserted fields. */
const endOf = ({ text: { length } }: TemplateText): Place => ({ part: 'text', start: length, end: length });

/** The texts of a template, one language at a time; fields are inserted at the last cursor position. */
export const TextsCard = ({ texts, issues, disabled, onTexts }: TextsCardProps) => {
  const { t } = useTranslation();
  const { language: own } = useFormat();
  const [language, setLanguage] = useState<Language>(
    () => [own, ...languages].find((one) => hasText(texts[one])) ?? own,
  );
  const text = texts[language];
  const place = useRef(endOf(text));
  const write = (part: TemplatePart, words: string): void =>
    onTexts({ ...texts, [language]: { ...text, [part]: words } });
  const insert = (field: TemplateField): void => {
    const { part, start, end } = place.current;
    const named = `{{${field}}}`;
    write(part, text[part].slice(0, start) + named + text[part].slice(end));
    place.current = { part, start: start + named.length, end: start + named.length };
  };
  const choose = (one: Language): void => {
    setLanguage(one);
    place.current = endOf(texts[one]);
  };
  return (
    <Card
      extra={
        <Segmented
          label={t('autoflow.templates.language')}
          onChange={choose}
          options={languages.map((value) => ({
            value,
            label: (
              <span className={hasText(texts[value]) ? undefined : styles['untranslated']} lang={value}>
                {t(`common.languages.${value}`)}
              </span>
            ),
          }))}
          small
          value={language}
        />
      }
      title={t('autoflow.templates.texts')}
    >
      <div className={styles['stack']}>
        {parts.map((part) => (
          <TextPart
            disabled={disabled}
            // Without a text in any language, the one shown is to have one.
            issue={issues[`texts.${language}.${part}`] ?? issues['texts']}
            key={part}
            language={language}
            onPlace={(start, end) => {
              place.current = { part, start, end };
            }}
            onText={(words) => write(part, words)}
            part={part}
            words={text[part]}
          />
        ))}
      </div>
      <fieldset className={styles['fieldNames']}>
        <legend className={styles['faint']}>{t('autoflow.templates.fieldsHint')}</legend>
        {templateFields.map((field) => (
          <Button
            aria-label={t('autoflow.templates.insert', { field })}
            disabled={disabled}
            key={field}
            onClick={() => insert(field)}
            size="small"
          >
            {field}
          </Button>
        ))}
      </fieldset>
      <OtherLanguages issues={issues} language={language} onLanguage={choose} />
    </Card>
  );
};

/** Errors in languages that are not shown. */
const OtherLanguages = ({
  issues,
  language,
  onLanguage,
}: Pick<TextsCardProps, 'issues'> & { language: Language; onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation();
  const invalidLanguages = languages.filter(
    (one) => one !== language && Object.keys(issues).some((path) => path.startsWith(`texts.${one}`)),
  );
  return invalidLanguages.map((one) => (
    <div className={styles['line']} key={one}>
      <span className={styles['error']}>
        {t('autoflow.templates.unfinished', { language: t(`common.languages.${one}`) })}
      </span>
      <Button onClick={() => onLanguage(one)} size="small" type="link">
        {t('autoflow.templates.show')}
      </Button>
    </div>
  ));
};

type Field = HTMLInputElement | HTMLTextAreaElement;

interface TextPartProps {
  part: TemplatePart;
  language: Language;
  words: string;
  issue: TemplateIssues[string];
  disabled: boolean;
  onText: (words: string) => void;
  /** The last cursor position. */
  onPlace: (start: number, end: number) => void;
}

const TextPart = ({ part, language, words, issue, disabled, onText, onPlace }: TextPartProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const shared = {
    'aria-invalid': issue !== undefined,
    disabled,
    id,
    lang: language,
    onBlur: ({ currentTarget }: FocusEvent<Field>) =>
      onPlace(currentTarget.selectionStart ?? 0, currentTarget.selectionEnd ?? 0),
    status: issue ? 'error' : '',
    value: words,
  } as const;
  return (
    <div className={styles['words']}>
      <div className={styles['textsHeader']}>
        <label htmlFor={id}>{t(`autoflow.templates.parts.${part}`)}</label>
        <span className={styles['faint']}>{`${count([...words].length)} / ${count(maximum[part])}`}</span>
      </div>
      {part === 'subject' ? (
        <Input {...shared} autoComplete="off" onChange={({ target }) => onText(target.value)} />
      ) : (
        <Input.TextArea
          {...shared}
          autoSize={part === 'text' ? { minRows: 6, maxRows: 16 } : { minRows: 2, maxRows: 4 }}
          onChange={({ target }) => onText(target.value)}
        />
      )}
      <IssueMessage issue={issue} />
    </div>
  );
};
