/** The cells of a record; undefined if a quotation mark is not closed or is in an invalid position. */
export const cellsOf = (record: string): string[] | undefined => {
  if (!record.includes('"')) return record.split(',');
  const cells: string[] = [];
  for (let from = 0; from <= record.length; ) {
    if (record[from] !== '"') {
      const comma = record.indexOf(',', from);
      const end = comma < 0 ? record.length : comma;
      const cell = record.slice(from, end);
      if (cell.includes('"')) return undefined;
      cells.push(cell);
      from = end + 1;
      continue;
    }
    let end = record.indexOf('"', from + 1);
    while (end >= 0 && record[end + 1] === '"') end = record.indexOf('"', end + 2);
    if (end < 0 || (end + 1 < record.length && record[end + 1] !== ',')) return undefined;
    cells.push(record.slice(from + 1, end).replaceAll('""', '"'));
    from = end + 2;
  }
  return cells;
};
