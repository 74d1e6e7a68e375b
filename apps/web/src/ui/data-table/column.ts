import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  title: string;
  /** Pixels at first; the person may drag it. */
  width: number;
  align?: 'start' | 'end';
  /** The server's name of the sort, where the server can sort by it. */
  sort?: string;
  /** Always shown: what the row is known by. */
  fixed?: boolean;
  /** The field that it shows, as matches of a search name it: those are marked in its cells. */
  searched?: string;
  /** The filters whose values it shows, when not the one of its id: where one is set, the column comes along. */
  filteredBy?: readonly string[];
  initiallyHidden?: boolean;
  /** Its place on a phone's card; without one it is left out there, or a line when it is hidden at first. */
  phone?: 'heading' | 'aside' | 'line';
  /** Left out of a card that has nothing to say here. */
  phoneWhen?: (row: Row) => boolean;
  /** `href` is the row's address, empty where rows do not open. */
  render: (row: Row, href: string) => ReactNode;
}

export const minColumnWidth = 60;
