/** A page of the user guide, as the build reads it from `docs/guide` (`build/guide-page.ts`). */
export interface GuidePage {
  title: string;
  /** What stands before the first section. */
  lead: readonly Block[];
  sections: readonly Section[];
}

export interface Section {
  /** As addresses name it after `#`. */
  id: string;
  title: string;
  blocks: readonly Block[];
}

export type Block =
  | { kind: 'paragraph'; text: Text }
  | { kind: 'list'; ordered: boolean; items: readonly Text[] }
  | { kind: 'table'; head: readonly Text[]; rows: readonly (readonly Text[])[] }
  | { kind: 'picture'; file: string; says: string };

export type Text = readonly Piece[];
type Piece =
  | { kind: 'plain' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; to: string };

export interface Picture {
  src: string;
  width: number;
  height: number;
}

/** What a file of the guide is as a module. */
export interface GuideFile {
  page: GuidePage;
  pictures: Readonly<Record<string, Picture>>;
}
