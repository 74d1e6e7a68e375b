import { DuckDBInstance } from '@duckdb/node-api';

/** DuckDB over the same records in Parquet files, each of a day. */
export interface Duck {
  /** Adds what a CSV file has. */
  addDay(csv: string, day: string): Promise<void>;
  /** Milliseconds that a query takes; `records` stands for the records. */
  time(query: string): Promise<number>;
  close(): void;
}

/** Of the CSV files, in their order. */
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
