import type { PermissionKey } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';

/** How the items of one kind are shown: in which words, and where their page is. */
export interface ItemView {
  /** Heading of a task's items. */
  title: PhraseKey;
  /** What the label of an item is. */
  label: PhraseKey;
  /** Who may open an item's page. */
  permission: PermissionKey;
  /** Address of that page, behind the language. */
  path(label: string): string;
  /** The list of a task's items: what the way to it is called, and its address, behind the language. */
  list?: { label: PhraseKey; path(reference: string): string };
}

/** By kind. Items of any other are shown in neutral words, without a page. */
export type ItemViews = Readonly<Record<string, ItemView>>;
