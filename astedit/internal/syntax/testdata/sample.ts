import { EventEmitter } from "events";
import type { Readable } from "stream";
import * as path from "path";

/** A queue with a bounded size. */
export interface QueueOptions<T = unknown> {
  readonly limit?: number;
  compare?(a: T, b: T): number;
  onDrop: (item: T, reason: "full" | "closed") => void;
}

type Entry<T> = { item: T; at: number } & Partial<Record<string, unknown>>;
type Keys<T> = { [K in keyof T as `get${string & K}`]?: T[K] };
enum State { Open = "open", Closed = "closed" }
declare module "legacy" { export function old(x: any): void; }

@sealed
export abstract class Queue<T extends object> extends EventEmitter implements Iterable<T> {
  static readonly DEFAULT = 64;
  #entries: Entry<T>[] = [];
  private state: State = State.Open;

  constructor(private readonly options: QueueOptions<T>, public name = "queue") {
    super();
    this.options = { limit: Queue.DEFAULT, ...options };
  }

  @logged("push")
  async push(item: T, ...more: T[]): Promise<number> {
    if (this.state === State.Closed) {
      throw new Error(`queue ${this.name} is closed after ${this.#entries.length} items`);
    }
    for (const each of [item, ...more]) {
      const limit = this.options.limit ?? Queue.DEFAULT;
      if (this.#entries.length >= limit) this.options.onDrop(each, "full");
      else this.#entries.push({ item: each, at: Date.now() });
    }
    await Promise.all(more.map(async (m) => this.emit("push", m)));
    return this.#entries.length;
  }

  protected abstract weigh(item: T): number;

  get size(): number { return this.#entries.length; }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.#entries.length; i++) yield this.#entries[i]!.item;
  }
}

export function group<T, K extends string>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const k = key(item);
    const list = groups.get(k);
    if (list) { list.push(item); } else { groups.set(k, [item]); }
  }
  return groups;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error: unknown) {
    console.error("bad json", (error as Error).message, path.basename(text));
    return undefined;
  } finally {
    // nothing is held
  }
};

switch (process.argv[2]) {
  case "a": case "b": parse(process.argv[3]!); break;
  default: console.log("usage:", process.argv[1]);
}
let total = 0, count: number | undefined;
label: while (total < 10) { total += 1; if (total % 2) continue label; }
export default group;
export { parse as parseJSON };
