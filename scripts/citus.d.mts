/** A node of a cluster, with the extension in its database `postgres`. */
export interface CitusNode {
  url: string;
  /** Process id of the server. */
  pid(): number;
  /** Restarts it after a crash, and waits until it responds. */
  start(): void;
}

export interface CitusCluster {
  /** URL of the coordinator. */
  url: string;
  /** All nodes, coordinator first. */
  nodes: CitusNode[];
  stop(): void;
}

export const citusUnavailableReason: () => string | undefined;

/**
 * @param options.workers number of nodes in addition to the coordinator, two by default
 * @param options.durable server settings for clusters whose commits must survive a crash
 */
export const startCluster: (options?: {
  workers?: number;
  durable?: Readonly<Record<string, string>>;
}) => Promise<CitusCluster>;
