// A tool in a folder, with files of its own: a class, a module beside it, and
// data.
import { readFile } from "fs/promises";
import * as path from "path";
import { Type } from "@sinclair/typebox";
import { count } from "./lib/count";
import stopWords from "./stop-words.json";

class WordCount {
  readonly name = "word_count";
  readonly label = "Count words";
  readonly parameters = Type.Object({ file: Type.String(), skipCommon: Type.Optional(Type.Boolean()) });

  constructor(private readonly cwd: string) {}

  get description() {
    return `Counts the words of a file, with or without ${stopWords.length} common ones.`;
  }

  async execute(_id: string, params: { file: string; skipCommon?: boolean }) {
    const text = await readFile(path.resolve(this.cwd, params.file), "utf8");
    const words = count(text, new Set(params.skipCommon ? stopWords : []));
    return { content: [{ type: "text" as const, text: `${words} words` }], details: { words } };
  }
}

export default (pi: { cwd: string }) => new WordCount(pi.cwd);
