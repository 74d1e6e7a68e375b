import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  title: string;
  /** Initial width in pixels; the person can change it. */
  width: number;
  align?: 'start' | 'end';
  /** The server's name of the sort, if the server can sort by it. */
  sort?: string;
  /** Always shown: the column that identifies the row. */
  fixed?: boolean;
  /** The field that it shows, as named in search matches: matches are highlighted in its cells. */
  searched?: string;
  /** The filters whose values it shows, if other than the one with its id: setting one shows the column. */
  filteredBy?: readonly string[];
  initiallyHidden?: boolean;
  /** Its place on a phone's card. A column without one is left out there, unless it is hidden by default: then it is a line. */
  phone?: 'heading' | 'aside' | 'line';
  /** Leaves it out of cards for rows where it returns false. */
  phoneWhen?: (row: Row) => boolean;
  /** `href` is the row's link, empty if rows do not open. */
  render: (row: Row, href: string) => ReactNode;
}

/** In pixels. */
export const [minColumnWidth, maxColumnWidth] = [60, 2000];

export const columnWidth = (pixels: number): number =>
  Math.min(maxColumnWidth, Math.max(minColumnWidth, Math.round(pixels)));
