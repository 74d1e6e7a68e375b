import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './identifier.module.css';
import { splitIdentifier } from './split-identifier.ts';

export interface IdentifierProps {
  value: string;
  /** What it is, for the copy button's name: `ICCID`. */
  label: string;
  /** The last digits, by which people tell one SIM from another, in bold. */
  emphasis?: boolean;
  copy?: boolean;
  /** Shown in its place, where the whole is too long to read; copied whole all the same. */
  shown?: string;
  /** As a page's title. */
  size?: 'text' | 'title';
}

/** A number that people compare and copy: monospaced, the last digits bold, copied whole. */
export const Identifier = ({
  value,
  label,
  emphasis = false,
  copy = false,
  shown = value,
  size = 'text',
}: IdentifierProps) => {
  const [head, tail] = emphasis ? splitIdentifier(shown) : [shown, ''];
  return (
    <span className={styles['identifier']}>
      <span className={styles['digits']} data-size={size}>
        {head}
        {tail ? <b>{tail}</b> : null}
      </span>
      {copy ? <CopyButton label={label} value={value} /> : null}
    </span>
  );
};

const CopyButton = ({ value, label }: { value: string; label: string }) => {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
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
        // A refused clipboard (no permission, no secure context) leaves the number selectable as it is.
        copy().catch(() => setCopied(false));
      }}
      type="button"
    >
      {copied ? <CheckOutlined aria-hidden="true" /> : <CopyOutlined aria-hidden="true" />}
    </button>
  );
};
