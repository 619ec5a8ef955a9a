export const count = (text: string, skip: ReadonlySet<string>): number =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !skip.has(word)).length;
