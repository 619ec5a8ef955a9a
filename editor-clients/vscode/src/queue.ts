// One question at a time: VS Code closes a question when the next one opens, which
// would dismiss it without the human.
export class Queue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(ask: () => Promise<T>): Promise<T> {
    const next = this.last.then(ask, ask);
    this.last = next;
    return next;
  }
}
