import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { findRange, type TextRange } from '@simcube/contract';
import { useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTabIndex } from '../focus/index.ts';
import { Highlight, SearchContext } from '../highlight/index.ts';
import styles from './identifier.module.css';
import { type Piece, piecesOf } from './identifier-pieces.ts';

export interface IdentifierProps {
  value: string;
  /** The kind of identifier, for the copy button's name: `ICCID`. */
  label: string;
  /** Shows the last digits, by which people distinguish SIMs, in bold. */
  emphasis?: boolean;
  copy?: boolean;
  /** The search match. */
  found?: TextRange | undefined;
  /** Shown instead if the full value is too long to read; the full value is copied. */
  shown?: string;
  /** `title`: the title of a page. */
  size?: 'text' | 'title';
}

/** A number that people compare and copy: monospaced, last digits in bold, copied in full. */
export const Identifier = ({
  value,
  label,
  emphasis = false,
  copy = false,
  found,
  shown = value,
  size = 'text',
}: IdentifierProps) => (
  <span className={styles['identifier']}>
    <span className={styles['digits']} data-size={size}>
      {piecesOf(shown, { emphasis, found }).map((piece) => (
        <Digits key={piece.from} {...piece} />
      ))}
    </span>
    {copy ? <CopyButton label={label} value={value} /> : null}
  </span>
);

/** An identifier in a list's row that the list's search covers. */
export const FoundIdentifier = (props: Omit<IdentifierProps, 'found' | 'shown'>) => (
  <Identifier {...props} found={findRange(props.value, useContext(SearchContext))} />
);

const Digits = ({ text, tail, found }: Piece) => {
  const shown = found ? <Highlight range={{ from: 0, to: text.length }} text={text} /> : text;
  return tail ? <b>{shown}</b> : shown;
};

const CopyButton = ({ value, label }: { value: string; label: string }) => {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const tabIndex = useTabIndex();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <button
      aria-label={copied ? t('common.actions.copied') : t('kit.copy', { what: label })}
      className={styles['copy']}
      onClick={(event) => {
        event.stopPropagation();
        // If the clipboard is not available (no permission, no secure context), the number can still be selected.
        copy().catch(() => setCopied(false));
      }}
      tabIndex={tabIndex}
      type="button"
    >
      {copied ? <CheckOutlined aria-hidden="true" /> : <CopyOutlined aria-hidden="true" />}
    </button>
  );
};
