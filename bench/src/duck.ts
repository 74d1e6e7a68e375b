import { DuckDBInstance } from '@duckdb/node-api';

/** DuckDB with the same records in Parquet files, one per day. */
export interface Duck {
  /** Adds the records of a CSV file. */
  addDay(csv: string, day: string): Promise<void>;
  /** Milliseconds of a query, in which `records` is the table of records. */
  time(query: string): Promise<number>;
  close(): void;
}

/** Columns of the CSV files, in order. */
export const recordColumns = {
  sim_id: 'BIGINT',
  ended_at: 'TIMESTAMP',
  plmn: 'INTEGER',
  radio: 'SMALLINT',
  source: 'SMALLINT',
  apn: 'VARCHAR',
  session_key: 'BIGINT',
  up_bytes: 'BIGINT',
  down_bytes: 'BIGINT',
  dedupe_key: 'BIGINT',
  started_at: 'TIMESTAMP',
  org_id: 'BIGINT',
  cell: 'VARCHAR',
} as const;

export const openDuck = async (directory: string): Promise<Duck> => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const types = Object.entries(recordColumns).map(([name, type]) => `'${name}': '${type}'`);
  return {
    addDay: async (csv, day) => {
      await connection.run(
        `copy (select * from read_csv('${csv}', header = false, columns = {${types.join(', ')}}) order by ended_at)
         to '${directory}/${day}.parquet' (format parquet)`,
      );
    },
    time: async (query) => {
      const begin = performance.now();
      await connection.runAndReadAll(query.replace('records', `read_parquet('${directory}/*.parquet')`));
      return performance.now() - begin;
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};
