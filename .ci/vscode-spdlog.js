// Stands in for the native module that VS Code writes its logs with: one line a
// message, or the message alone after clearFormatters.
const fs = require('fs');
const path = require('path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 0;
    this.bare = false;
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  clearFormatters() { this.bare = true; }
  setPattern() {}
  flush() {}
  drop() {}
  write(level, message) {
    if (level >= this.level) {
      fs.appendFileSync(this.file, this.bare ? message : `${new Date().toISOString()} [${LEVELS[level]}] ${message}\n`);
    }
  }
}
LEVELS.forEach((name, level) => {
  Logger.prototype[name] = function (message) { this.write(level, message); };
});

async function create(name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger('', name, file);
}

module.exports = { version: 0, setLevel() {}, setFlushOn() {}, Logger, createRotatingLogger: create, createAsyncRotatingLogger: create };
