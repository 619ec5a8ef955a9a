// The components that tools draw with, as far as plain text needs them.

const tabWidth = 3;
export const replaceTabs = (text, by = ' '.repeat(tabWidth)) => String(text).replaceAll('\t', by);

const escapes = /\x1b\[[0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07/g;
export const visibleWidth = (text) => [...String(text).replace(escapes, '')].length;

export function truncateToWidth(text, width, ellipsis = '…') {
  const characters = [...String(text)];
  if (characters.length <= width) return String(text);
  return characters.slice(0, Math.max(0, width - [...ellipsis].length)).join('') + ellipsis;
}

// wrap breaks a line at spaces, and a word that is too long anywhere.
function wrap(line, width) {
  const lines = [];
  let rest = [...line];
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end).join(''));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...lines, rest.join('')];
}

export class Text {
  constructor(text = '', paddingX = 0, paddingY = 0) {
    Object.assign(this, { text: String(text), paddingX, paddingY });
  }
  setText(text) { this.text = String(text); }
  invalidate() {}
  render(width) {
    if (this.text === '') return [];
    const side = ' '.repeat(this.paddingX);
    const inner = Math.max(1, width - 2 * this.paddingX);
    const lines = replaceTabs(this.text).split(/\r?\n/).flatMap((line) => wrap(line, inner)).map((line) => side + line);
    const blank = Array(this.paddingY).fill('');
    return [...blank, ...lines, ...blank];
  }
}

// Markdown is shown as it is written: it is made to be read that way.
export class Markdown extends Text {}

export class Spacer {
  constructor(lines = 1) { this.lines = lines; }
  setLines(lines) { this.lines = lines; }
  invalidate() {}
  render() { return Array(this.lines).fill(''); }
}

export class Container {
  children = [];
  addChild(child) { this.children.push(child); }
  removeChild(child) { this.children = this.children.filter((one) => one !== child); }
  clear() { this.children = []; }
  invalidate() { for (const child of this.children) child.invalidate?.(); }
  render(width) { return this.children.flatMap((child) => child.render(width)); }
}

export class Box extends Container {
  constructor(paddingX = 0, paddingY = 0) {
    super();
    Object.assign(this, { paddingX, paddingY });
  }
  render(width) {
    const side = ' '.repeat(this.paddingX);
    const lines = super.render(Math.max(1, width - 2 * this.paddingX)).map((line) => side + line);
    const blank = Array(this.paddingY).fill('');
    return [...blank, ...lines, ...blank];
  }
}

// SelectList shows its items; nobody can choose in plain text.
export class SelectList {
  constructor(items = [], maxVisible = items.length) { Object.assign(this, { items, maxVisible }); }
  invalidate() {}
  handleInput() {}
  getSelectedItem() { return this.items[0]; }
  render(width) {
    return this.items.slice(0, this.maxVisible).map((item) => truncateToWidth(item.label ?? item.value ?? String(item), width));
  }
}

// matchesKey compares what a terminal sends with a key's name. No terminal
// sends anything here; printable keys and the common names are known.
const keys = { enter: '\r', return: '\r', escape: '\x1b', esc: '\x1b', tab: '\t', space: ' ', backspace: '\x7f', up: '\x1b[A', down: '\x1b[B', right: '\x1b[C', left: '\x1b[D' };
export function matchesKey(data, key) {
  const control = /^ctrl\+([a-z])$/.exec(key);
  if (control) return data === String.fromCharCode(control[1].charCodeAt(0) - 96);
  return data === (keys[key] ?? key);
}
