import { Fragment } from 'react';
import { SearchHighlight } from '../highlight/index.ts';
import { piecesOf } from './pieces.ts';
import styles from './safe-text.module.css';

interface SafeTextProps {
  /** The original text from outside. */
  text: string;
  /** Truncated at the end of the line instead of wrapped. */
  oneLine?: boolean;
}

/** Text from outside: shows invisible characters, isolates its direction, and breaks words that are too wide. */
export const SafeText = ({ text, oneLine = false }: SafeTextProps) => (
  <bdi className={oneLine ? styles['line'] : styles['text']}>
    {piecesOf(text).map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change their order
      <Fragment key={index}>
        {piece.hidden ? (
          <span className={styles['hidden']}>{piece.text}</span>
        ) : (
          <SearchHighlight text={oneLine ? piece.text.replaceAll(/\r?\n/g, ' ⏎ ') : piece.text} />
        )}
      </Fragment>
    ))}
  </bdi>
);
