import styles from './chart.module.css';

export interface ChartTableProps {
  caption: string;
  /** The first heads the rows. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The same data as a table, for those who listen instead of look. */
export const ChartTable = ({ caption, columns, rows }: ChartTableProps) => (
  <div className={styles['heard']}>
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
        {rows.map(([head = '', ...cells]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
