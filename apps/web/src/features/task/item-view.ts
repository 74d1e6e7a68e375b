import type { PermissionKey } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';

/** How the items of one kind are shown: their phrases, and the path of their page. */
export interface ItemView {
  /** Heading of a task's items. */
  title: PhraseKey;
  /** Name of an item's label. */
  label: PhraseKey;
  /** The permission required to open an item's page. */
  permission: PermissionKey;
  /** Path of that page, without the language segment. */
  path(label: string): string;
  /** The list of a task's items: the text of its link, and its path without the language segment. */
  list?: { label: PhraseKey; path(reference: string): string };
}

/** By kind. Items of any other kind are shown with neutral phrases and without a page. */
export type ItemViews = Readonly<Record<string, ItemView>>;
