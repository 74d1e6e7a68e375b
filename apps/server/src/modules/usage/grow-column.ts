/** A column with room for twice as many values, starting with those of `column`. */
export const growColumn = <Column extends Float64Array | Int32Array | Uint8Array>(column: Column): Column => {
  const longer = new (column.constructor as new (length: number) => Column)(2 * column.length);
  longer.set(column);
  return longer;
};
