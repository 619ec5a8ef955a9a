// Where the server is: the setting, the one inside the extension, PATH.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

export interface Places {
  setting: string;
  extensionPath: string;
  platform: string;
  arch: string;
  pathVariable: string;
  /** Folders whose programs are not taken from PATH: they come with the code that is looked at. */
  workspaceFolders: string[];
}

export type Found = { command: string; from: 'setting' | 'extension' | 'PATH' } | { missing: string };

export function findServer(places: Places): Found {
  const name = places.platform === 'win32' ? 'xcsh-lsp.exe' : 'xcsh-lsp';
  const setting = places.setting.trim();
  if (setting !== '') {
    const command = setting.replace(/^~(?=$|[\\/])/, os.homedir());
    // No fallback: another server than the one that was chosen would surprise.
    return isProgram(command) ? { command, from: 'setting' } : { missing: `The setting xcsh.server.path names ${command}, which is not a program.` };
  }
  const bundled = path.join(places.extensionPath, 'server', `${places.platform}-${places.arch}`, name);
  if (isProgram(bundled)) {
    return { command: bundled, from: 'extension' };
  }
  for (const dir of places.pathVariable.split(path.delimiter)) {
    const command = path.join(dir, name);
    if (path.isAbsolute(dir) && !isInside(command, places.workspaceFolders) && isProgram(command)) {
      return { command, from: 'PATH' };
    }
  }
  return { missing: 'The program xcsh-lsp was not found: put it on PATH, or name it in the setting xcsh.server.path.' };
}

function isInside(file: string, folders: string[]): boolean {
  return folders.some((folder) => !path.relative(folder, file).startsWith('..') && !path.isAbsolute(path.relative(folder, file)));
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
