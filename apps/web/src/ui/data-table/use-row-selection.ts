import { useRef } from 'react';
import { useHandler } from '../handler/index.ts';
import { rangeOf, type Selection, select } from './selection.ts';

interface RowSelectionOptions {
  /** Keys of the rows on the page, in order. */
  keys: readonly string[];
  selection: Selection;
  onSelection: ((selection: Selection) => void) | undefined;
}

export interface RowSelection {
  /** Changes one row or, with `range`, all from the one that was changed last. */
  setSelected: (key: string, on: boolean, range: boolean) => void;
  /** Extends the selection from the last anchor to `to`, which is adjacent to `from`; moving back deselects again. */
  extend: (from: string, to: string) => void;
}

/** Selects single rows, ranges and by extending, as in a file manager. Both functions keep their identity. */
export const useRowSelection = ({ keys, selection, onSelection }: RowSelectionOptions): RowSelection => {
  /** Start of the next range, and end of the last one. */
  const last = useRef({ anchor: '', tip: '' });
  const setSelected = useHandler((key: string, on: boolean, range: boolean): void => {
    const anchor = range && keys.includes(last.current.anchor) ? last.current.anchor : key;
    last.current = { anchor, tip: key };
    onSelection?.(select(selection, rangeOf(keys, anchor, key), on));
  });
  const extend = useHandler((from: string, to: string): void => {
    const anchor = last.current.tip === from ? last.current.anchor : from;
    last.current = { anchor, tip: to };
    const without = select(selection, rangeOf(keys, anchor, from), false);
    onSelection?.(select(without, rangeOf(keys, anchor, to), true));
  });
  return { setSelected, extend };
};
