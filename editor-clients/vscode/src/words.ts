// Small things that are said in several places.

export function countOf(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

export function firstLine(text: string): string {
  const [line = '', ...more] = text.trim().split('\n');
  return more.length ? `${line} …` : line;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
