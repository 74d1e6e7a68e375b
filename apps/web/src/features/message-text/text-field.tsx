import { type InputIssue, limits } from '@simcube/contract';
import { smsEncodingNames } from '@simcube/contract/sms';
import { unitsOf } from '@simcube/smpp/text';
import { Button, type GetRef, Input } from 'antd';
import { type Ref, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { shownCharacter } from '../../ui/safe-text/index.ts';
import { visuallyHidden } from '../../ui/visually-hidden/index.ts';
import type { Measure } from './measure.ts';
import styles from './text-field.module.css';

interface TextFieldProps {
  label: string;
  value: string;
  measure: Measure;
  onChange: (value: string) => void;
  /** An issue that the form reports: a text is required. */
  issue?: Pick<InputIssue, 'key' | 'values'> | undefined;
  placeholder?: string;
  disabled?: boolean | undefined;
  rows?: number;
  autoFocus?: boolean;
  ref?: Ref<GetRef<typeof Input.TextArea>>;
  /** Below a conversation: the label is only for screen readers. */
  small?: boolean;
}

/** The text of a message: marks the characters that force its encoding, and shows the number of parts while typing. */
export const TextField = ({
  label,
  value,
  measure,
  issue = measure.issue,
  onChange,
  small = false,
  rows = 2,
  ...field
}: TextFieldProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const marks = useRef<HTMLDivElement>(null);
  const tooLong = issue?.key === 'tooLong';
  const characters = t('sms.compose.characters', {
    count: measure.characters,
    shown: count(measure.characters),
    max: count(limits.sms.content),
  });
  return (
    <div className={styles['field']}>
      <div className={small ? visuallyHidden : styles['header']}>
        <label className={styles['label']} htmlFor={id}>
          {label}
        </label>
        {small ? null : <span data-wrong={tooLong ? 'true' : undefined}>{characters}</span>}
      </div>
      <div className={styles['box']}>
        <div aria-hidden="true" className={styles['marks']} ref={marks}>
          <Marks measure={measure} text={value} />
        </div>
        <Input.TextArea
          {...field}
          aria-describedby={`${id}-measure`}
          aria-invalid={issue ? true : undefined}
          className={styles['text'] ?? ''}
          id={id}
          onChange={({ target }) => onChange(target.value)}
          onScroll={({ currentTarget }) => {
            if (marks.current) marks.current.scrollTop = currentTarget.scrollTop;
          }}
          rows={rows}
          value={value}
        />
      </div>
      {issue ? (
        <p className={styles['error']} role="alert">
          {tooLong
            ? t('sms.compose.tooLong', { max: count(limits.sms.content) })
            : t(`errors.issues.${issue.key}`, { ...issue.values })}
        </p>
      ) : null}
      {small ? null : <PartsBar measure={measure} />}
      <div className={styles['measure']} id={`${id}-measure`}>
        <MeasureSummary characters={small ? characters : undefined} measure={measure} />
        {measure.gsmAlternative ? (
          <UseGsmButton disabled={field.disabled} measure={measure} onChange={onChange} />
        ) : null}
      </div>
    </div>
  );
};

/** The same text behind the field, with the characters that force UCS-2 marked. */
const Marks = ({ text, measure: { forcingCharacters } }: { text: string; measure: Measure }) => {
  if (forcingCharacters.length === 0) return null;
  const forcing = new Set(forcingCharacters.map(({ character }) => character));
  return [...text].map((character, index) =>
    forcing.has(character) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: characters are identified only by their position
      <mark className={styles['mark']} key={index}>
        {character}
      </mark>
    ) : (
      character
    ),
  );
};

/** The fill level of the parts: one is full before the next begins. */
const PartsBar = ({ measure: { encoding, units, parts } }: { measure: Measure }) => {
  const { alone, part } = unitsOf[encoding];
  const capacity = parts > 1 ? part : alone;
  const shown = Math.max(parts, 2);
  return (
    <div aria-hidden="true" className={styles['parts']} data-encoding={encoding}>
      {Array.from({ length: shown }, (_, index) => index).map((index) => (
        <span className={styles['part']} data-last={index === parts - 1 ? 'true' : undefined} key={index}>
          <span
            style={{
              inlineSize: `${Math.min(100, Math.max(0, ((units - index * capacity) / capacity) * 100))}%`,
            }}
          />
        </span>
      ))}
    </div>
  );
};

const maxNamed = 3;

const MeasureSummary = ({ measure, characters }: { measure: Measure; characters: string | undefined }) => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const { encoding, parts, forcingCharacters } = measure;
  const list = new Intl.ListFormat(language, { type: 'unit' }).format(
    forcingCharacters.slice(0, maxNamed).map(({ character }) => `“${shownCharacter(character)}”`),
  );
  return (
    <span aria-live="polite">
      {characters ? `${characters} · ` : null}
      <b data-encoding={encoding}>
        {parts === 0
          ? smsEncodingNames[encoding]
          : t('sms.compose.encoded', {
              encoding: smsEncodingNames[encoding],
              count: parts,
              shown: count(parts),
            })}
      </b>
      {forcingCharacters.length > 0
        ? ` ${forcingCharacters.length > maxNamed ? t('sms.compose.becauseMore', { list, shown: count(forcingCharacters.length - maxNamed) }) : t('sms.compose.because', { list })}`
        : null}
    </span>
  );
};

const UseGsmButton = ({
  measure,
  disabled = false,
  onChange,
}: Pick<TextFieldProps, 'measure' | 'disabled' | 'onChange'>) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { gsmAlternative, forcingCharacters } = measure;
  if (!gsmAlternative) return null;
  const [first, ...others] = forcingCharacters;
  const replacement = others.length === 0 ? first?.cure?.replacement : undefined;
  const values = {
    encoding: smsEncodingNames.gsm7,
    count: gsmAlternative.parts,
    shown: count(gsmAlternative.parts),
  };
  return (
    <Button
      className={styles['cure'] ?? ''}
      disabled={disabled}
      onClick={() => onChange(gsmAlternative.text)}
      size="small"
      title={
        gsmAlternative.changesWords
          ? t('sms.compose.changesWords', { text: gsmAlternative.text })
          : gsmAlternative.text
      }
      type="link"
    >
      {replacement === undefined
        ? t('sms.compose.replaceAll', values)
        : replacement === ''
          ? t('sms.compose.removeIt', values)
          : t('sms.compose.replace', { ...values, replacement })}
    </Button>
  );
};
