// A human at the window: keys, menus and views. The keyboard is used wherever it can
// be: all of the extension must be reachable by it, and it works in every version.
import assert from 'node:assert/strict';
import path from 'node:path';

export class Human {
  constructor({ page, ws }, results) {
    this.page = page;
    this.ws = ws;
    this.results = results;
    this.box = page.locator('.quick-input-widget:visible input.input, .quick-input-box input:visible').first();
    this.menu = page.locator('.action-widget:has(.monaco-list-row)');
  }

  /** A picture, where pictures are wanted. */
  async shot(name) {
    if (this.results) {
      await this.page.screenshot({ path: path.join(this.results, `${name}.png`) });
    }
  }

  async key(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Runs a command by its title in the palette. */
  async command(title) {
    await this.key('F1');
    await this.box.waitFor({ state: 'visible' });
    await this.page.keyboard.type(title);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
    await this.key('Enter');
  }

  /** By its whole path: to search, VS Code needs ripgrep, which is not there. */
  async openFile(file) {
    const name = path.basename(file);
    const tab = this.page.locator(`.tab[aria-label^="${name}"]`);
    if (await tab.count()) {
      await tab.first().click();
      return;
    }
    await this.key('Control+p');
    await this.box.waitFor({ state: 'visible' });
    await this.page.keyboard.type(path.join(this.ws, file));
    await this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${name}"]`).waitFor(); // not a diff of it
    await this.key('Enter');
    await tab.first().waitFor();
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Waits for the box with this title and answers it: types, then presses Enter. */
  async answer(title, text, key = 'Enter') {
    await this.page.locator('.quick-input-title', { hasText: title }).waitFor({ state: 'visible' });
    if (text !== undefined) {
      await this.key('Control+a');
      await this.page.keyboard.type(text);
    }
    if (key) {
      await this.key(key);
    }
  }

  /** Chooses from the menu of code actions at the cursor, by keyboard. */
  async codeAction(title) {
    await this.key('Control+.');
    await this.menu.waitFor();
    const row = this.menu.locator('.monaco-list-row', { hasText: title }).first();
    await row.waitFor();
    for (let i = 0; i < 20 && !(await row.evaluate((e) => e.classList.contains('focused'))); i++) {
      await this.key('ArrowDown');
    }
    await this.key('Enter');
  }

  /** The text of the editor that shows a file, as it is seen. */
  async text() {
    const lines = await this.page.locator('.editor-instance .view-lines').last().innerText();
    return lines.replaceAll('\u00a0', ' ');
  }

  row(text) {
    return this.page.locator('.pane-body .monaco-list-row', { hasText: text });
  }

  toast(text) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  async until(what, get, seconds = 20) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const got = await get();
      if (got) {
        return got;
      }
      assert.ok(Date.now() < end, `waited in vain: ${what}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
