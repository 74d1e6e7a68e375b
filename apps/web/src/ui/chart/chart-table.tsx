import { Link } from '../link/index.ts';
import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './chart.module.css';
import { keysOf } from './labels.ts';

export interface ChartTableProps {
  caption: string;
  /** The first column contains the row headings. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Link of a row; only while the table is visible, as hidden links must not be reachable by keyboard. */
  hrefOf?: ((index: number) => string | undefined) | undefined;
  id?: string;
  /** Height on screen in pixels; without it, the table is only for screen readers. */
  height?: number | undefined;
}

/** A chart's data as a table. */
export const ChartTable = ({ caption, columns, rows, hrefOf, id, height }: ChartTableProps) => {
  const keys = keysOf(rows);
  return (
    // Not a landmark: the card around it is one with the same name.
    <div
      className={height === undefined ? visuallyHidden : styles['visible']}
      id={id}
      {...(height === undefined
        ? {}
        : { 'aria-label': caption, role: 'group', style: { height }, tabIndex: 0 })}
    >
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([head = '', ...cells], row) => (
            <tr key={keys[row]}>
              <th scope="row">
                <RowHead href={height === undefined ? undefined : hrefOf?.(row)}>{head}</RowHead>
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const RowHead = ({ href, children }: { href: string | undefined; children: string }) =>
  href === undefined ? children : <Link href={href}>{children}</Link>;
