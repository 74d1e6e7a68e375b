import { Fragment } from 'react';
import { Found } from '../marked/index.ts';
import { piecesOf } from './pieces.ts';
import styles from './safe-text.module.css';

interface SafeTextProps {
  /** As it was written, by whomever. */
  text: string;
  /** Cut where its line ends, instead of wrapped. */
  oneLine?: boolean;
}

/**
 * A text that others wrote: what is invisible in it is seen, its direction stays its own, and no word is wider than its
 * place.
 */
export const SafeText = ({ text, oneLine = false }: SafeTextProps) => (
  <bdi className={oneLine ? styles['line'] : styles['text']}>
    {piecesOf(text).map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change their places
      <Fragment key={index}>
        {piece.hidden ? (
          <span className={styles['hidden']}>{piece.text}</span>
        ) : (
          <Found text={oneLine ? piece.text.replaceAll(/\r?\n/g, ' ⏎ ') : piece.text} />
        )}
      </Fragment>
    ))}
  </bdi>
);
