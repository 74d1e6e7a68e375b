import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface SkeletonProps<Row> {
  columns: readonly Column<Row>[];
  leading: boolean;
  trailing: boolean;
  filler: boolean;
  count?: number | undefined;
}

const rows = Array.from({ length: 14 }, (_, index) => index);
/** Bars of uneven length look like text, even ones like a grid. */
const lengths = ['72%', '58%', '80%', '46%', '66%'];

/** Placeholder in the shape of the table while its first page is loading. */
export const SkeletonRows = <Row,>({ columns, leading, trailing, filler, count }: SkeletonProps<Row>) =>
  rows.slice(0, count).map((row) => (
    <tr key={row}>
      {leading ? <td /> : null}
      {columns.map((column, index) => (
        <td data-align={column.align} key={column.id}>
          <span
            className={styles['skeleton']}
            style={{ width: lengths[(row + index * 2) % lengths.length] }}
          />
        </td>
      ))}
      {filler ? <td /> : null}
      {trailing ? <td /> : null}
    </tr>
  ));
