/** A server of a cluster, with the extension in its database `postgres`. */
export interface CitusNode {
  url: string;
  /** Process id of its server. */
  pid(): number;
  /** Starts it again after a crash, and waits until it answers. */
  start(): void;
}

export interface CitusCluster {
  /** The coordinator's. */
  url: string;
  /** The coordinator first. */
  nodes: CitusNode[];
  stop(): void;
}

export const whyNoCitus: () => string | undefined;

/**
 * @param options.workers beside the coordinator, two by default
 * @param options.durable settings of the servers where what was committed has to survive a crash
 */
export const startCluster: (options?: {
  workers?: number;
  durable?: Readonly<Record<string, string>>;
}) => Promise<CitusCluster>;
