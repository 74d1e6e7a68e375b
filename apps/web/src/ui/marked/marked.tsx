import { findRange, type TextRange } from '@simcube/contract';
import { createContext, useContext } from 'react';
import styles from './marked.module.css';

/** A text with the search match highlighted. */
export const Marked = ({ text, at }: { text: string; at: TextRange | undefined }) =>
  at ? (
    <>
      {text.slice(0, at.from)}
      <mark className={styles['mark']}>{text.slice(at.from, at.to)}</mark>
      {text.slice(at.to)}
    </>
  ) : (
    text
  );

/** The list's search text, provided to its rows. */
export const SearchContext = createContext('');

/** A text in a list's row that the list's search covers: matches are highlighted. */
export const Found = ({ text }: { text: string }) => (
  <Marked at={findRange(text, useContext(SearchContext))} text={text} />
);
