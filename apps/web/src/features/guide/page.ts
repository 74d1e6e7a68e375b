/** A page of the user guide, as parsed by the build from `docs/guide` (`build/guide-page.ts`). */
export interface GuidePage {
  title: string;
  /** The blocks before the first section. */
  lead: readonly Block[];
  sections: readonly Section[];
}

export interface Section {
  /** The URL's fragment. */
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

/** A file of the guide imported as a module. */
export interface GuideFile {
  page: GuidePage;
  pictures: Readonly<Record<string, Picture>>;
}
