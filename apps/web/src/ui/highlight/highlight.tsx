import { findRange, type TextRange } from '@simcube/contract';
import { createContext, useContext } from 'react';
import styles from './highlight.module.css';

/** A text with the search match highlighted. */
export const Highlight = ({ text, range }: { text: string; range: TextRange | undefined }) =>
  range ? (
    <>
      {text.slice(0, range.from)}
      <mark className={styles['mark']}>{text.slice(range.from, range.to)}</mark>
      {text.slice(range.to)}
    </>
  ) : (
    text
  );

/** The list's search text, provided to its rows. */
export const SearchContext = createContext('');

/** A text in a list's row that the list's search covers: matches are highlighted. */
export const SearchHighlight = ({ text }: { text: string }) => (
  <Highlight range={findRange(text, useContext(SearchContext))} text={text} />
);
