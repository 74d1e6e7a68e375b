import { Link } from '../link/index.ts';
import styles from './chart.module.css';

export interface ChartTableProps {
  caption: string;
  /** The first heads the rows. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Where a row leads to; only on screen, as what is not seen can't be reached by keyboard. */
  hrefOf?: ((index: number) => string | undefined) | undefined;
  id?: string;
  /** Pixels that it takes on screen; without it, it is only heard. */
  height?: number | undefined;
}

/** The same data as a chart, as a table. */
export const ChartTable = ({ caption, columns, rows, hrefOf, id, height }: ChartTableProps) => (
  // No landmark: the card around it is one of the same name.
  <div
    className={height === undefined ? styles['heard'] : styles['seen']}
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
          <tr key={head}>
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

const RowHead = ({ href, children }: { href: string | undefined; children: string }) =>
  href === undefined ? children : <Link href={href}>{children}</Link>;
