import type { Shards } from '../../../platform/db/index.ts';
import { NodeHistories, type NodeHistoriesOptions } from './histories.ts';
import { Lane, type LaneOptions, type Pending } from './lane.ts';
import { LaneRouter } from './lane-router.ts';

type Options = Omit<LaneOptions, 'name' | 'histories' | Sizes> &
  Pick<NodeHistoriesOptions, 'pool'> &
  Partial<Record<Sizes, number | undefined>>;
/** Sizes of all lanes together, except the batch. */
type Sizes = 'maxBatch' | 'maxQueue' | 'cacheSize';

/** Each lane has two connections. Further nodes share lanes. */
const maxLanes = 16;

/**
 * One lane on a single server; on a cluster, one for each node. Each batch then has histories for one node only, so
 * that one worker writes them, and an unavailable worker blocks only its own SIMs.
 */
export class LanesByNode {
  readonly #options: Options;
  readonly #lanes: Lane[] = [];
  readonly #router: LaneRouter;
  readonly #histories: NodeHistories;
  readonly #share: { queue: number; cache: number };

  constructor(options: Options) {
    this.#options = options;
    const { maxQueue = 20_000, cacheSize = 60_000 } = options;
    const lanes = Math.min(options.shards()?.nodes.length ?? 1, maxLanes);
    this.#share = { queue: Math.ceil(maxQueue / lanes), cache: Math.ceil(cacheSize / lanes) };
    this.#histories = new NodeHistories(options);
    this.#router = new LaneRouter({
      ...options,
      size: cacheSize,
      maxQueue: this.#share.queue,
      dispatch: (pending, simId) => this.#laneOf(simId).add(pending),
    });
  }

  get waiting(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.waiting, this.#router.waiting);
  }

  add(pending: Pending): boolean {
    return this.#options.shards() ? this.#router.add(pending) : this.#lane(0).add(pending);
  }

  async settled(): Promise<void> {
    await this.#router.settled();
    await Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  async stop(): Promise<void> {
    await this.#router.stop();
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
    await this.#histories.stop();
  }

  #laneOf(simId: number | undefined): Lane {
    const shards = this.#options.shards();
    const index = shards && simId !== undefined ? nodeIndexOf(shards, simId) : 0;
    return this.#lane(index % maxLanes);
  }

  /** Creates lanes on demand: a table may be distributed, and nodes may join, while this process runs. */
  #lane(index: number): Lane {
    for (let next = this.#lanes.length; next <= index; next += 1)
      this.#lanes.push(
        new Lane({
          ...this.#options,
          histories: this.#histories,
          name: `simcube intake ${next + 1}`,
          maxBatch: this.#options.maxBatch ?? 1000,
          maxQueue: this.#share.queue,
          cacheSize: this.#share.cache,
        }),
      );
    return this.#lanes[index] as Lane;
  }
}

/** Position of the SIM's node among all nodes. */
const nodeIndexOf = (shards: Shards, simId: number): number =>
  shards.nodes.indexOf(shards.nodeOf(shards.shardOf(simId)));
