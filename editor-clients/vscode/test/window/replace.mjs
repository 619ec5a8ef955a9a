// From the palette to an applied edit, and what can come in between.
const files = {
  'src/report.ts': 'import { legacyWrap } from "./wrap";\n\nexport function report(user: string, total: number): string {\n  const head = legacyWrap(user, "👤 name");\n  const body = legacyWrap(total.toFixed(2), "total");\n  return head + body;\n}\n',
  'src/page.ts': 'import { legacyWrap } from "./wrap";\n\nexport const title = (text: string) => legacyWrap(text, "title");\n',
  'src/wrap.ts': 'export function modernWrap(label: string, value: string): string {\n  return `<${label}>${value}</${label}>`;\n}\n',
};

export const replaceJourney = {
  name: 'replace',
  files,
  async run(human, { assert, disk, step }) {
    await human.openFile('src/report.ts');
    await human.page.locator('.view-lines', { hasText: 'legacyWrap' }).first().waitFor();

    await propose(human, true);
    await human.row('AST Edit: 3 replacements in 2 files').first().waitFor();
    await human.row('report.ts').first().waitFor();
    step('proposed: the tree shows the edit and its files');
    await human.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await human.until('the text after is shown', () => diffShows(human, 'modernWrap("title"'));
    assert.ok(!disk('src/page.ts').includes('modernWrap'), 'something is written already');
    await human.row('report.ts').first().locator('.monaco-tl-twistie').click();
    await human.row('legacyWrap(user').first().click();
    await human.until('its diff is shown', () => diffShows(human, 'modernWrap("total"'));
    await human.shot('vscode-preview');
    step('the diff is open, the changes are in the tree, nothing is written');

    await human.openFile('src/report.ts');
    await human.page.locator('.codelens-decoration', { hasText: 'Apply 3 replacements in 2 files' }).first().waitFor();
    await toFirstCall(human);
    await human.codeAction('Apply "AST Edit');
    await human.answer('Apply "AST Edit', undefined, null);
    await human.shot('vscode-reason');
    await human.key('Escape');
    await human.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await human.row('AST Edit: 3 replacements').first().waitFor();
    assert.ok(!disk('src/page.ts').includes('modernWrap'), 'Escape wrote something');
    step('dismissed: Escape changes nothing');

    await human.openFile('src/report.ts');
    await toFirstCall(human);
    await human.codeAction('Apply "AST Edit');
    await human.answer('Apply "AST Edit', 'labels come first now');
    await human.until('the files are written', () => disk('src/page.ts').includes('modernWrap("title", text)') && disk('src/report.ts').includes('modernWrap("👤 name", user)'));
    await human.page.locator('.pane-body', { hasText: 'No edit is pending' }).first().waitFor();
    await human.page.locator('.pane-header', { hasText: 'Decisions' }).first().waitFor();
    await human.row('labels come first now').first().waitFor();
    step('applied by the code action, with a reason that is typed; the view Decisions has it');
    await human.shot('vscode-decision');

    await human.row('labels come first now').first().click();
    await human.page.keyboard.press('Shift+F10');
    await human.page.locator('.monaco-menu .action-item', { hasText: 'Revert Decision' }).first().waitFor();
    await human.key('ArrowDown', 'Enter'); // the menu has nothing else
    await human.row('Revert: AST Edit').first().waitFor();
    await human.command('xcsh: Discard Pending Edit');
    await human.answer('Discard "Revert', undefined);
    await human.row('Not the change I want').first().waitFor();
    assert.ok(disk('src/page.ts').includes('modernWrap'), 'a discard wrote something');
    await human.until('no diff of a decided edit is left', async () => (await human.page.locator('.tab', { hasText: 'AST Edit' }).count()) === 0);
    step('a revert is proposed, and discarded with the first ready-made reason');

    await human.command('xcsh: Restart Server');
    await human.openFile('src/page.ts');
    await propose(human, false, 'modernWrap($A, $B)', 'oldWrap($B, $A)');
    await human.until('the diff is open', () => diffShows(human, 'oldWrap'));
    await untick(human, 'report.ts', '0 of 2');
    await human.row('1 of 3 changes').first().waitFor();
    await human.shot('vscode-part');
    await human.command('xcsh: Apply Pending Edit');
    await human.answer('Apply "AST Edit', 'only the page');
    await human.until('the ticked file is written', () => disk('src/page.ts').includes('oldWrap(text, "title")'));
    assert.ok(!disk('src/report.ts').includes('oldWrap'), 'what was unticked is written');
    step('after a restart: a part is applied, by the tick boxes');
  },
};

async function propose(human, shot, pat = 'legacyWrap($A, $B)', out = 'modernWrap($B, $A)') {
  await human.command('xcsh: Structural Replace');
  await human.answer('pattern', pat, null);
  await human.page.locator('.quick-input-list', { hasText: 'matches in 2 files' }).waitFor();
  await human.key('Enter');
  await human.answer('replacement', out, null);
  await human.page.locator('.quick-input-message', { hasText: 'matches in 2 files' }).waitFor();
  if (shot) {
    await human.shot('vscode-replace');
  }
  await human.key('Enter');
  await human.answer('where', undefined);
}

/** Whether the right side of the open diff has a text. */
async function diffShows(human, text) {
  const lines = await human.page.locator('.monaco-diff-editor .editor.modified .view-lines').allInnerTexts();
  return lines.some((l) => l.replaceAll('\u00a0', ' ').includes(text));
}

/** A click gets lost where the view is drawn anew under it: a human clicks again. */
async function untick(human, name, then) {
  const unticked = human.row(then).first();
  for (let click = 1; ; click++) {
    await human.row(name).first().locator('.custom-view-tree-node-item-checkbox').click();
    try {
      return await unticked.waitFor({ timeout: 8000 });
    } catch (error) {
      if (click === 3) {
        throw error;
      }
    }
  }
}

async function toFirstCall(human) {
  await human.page.locator('.editor-instance .view-line').first().click();
  await human.key('Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await human.page.locator('[class*="codicon-gutter-lightbulb"]:visible, .codicon-light-bulb:visible, .codicon-lightbulb:visible, .codicon-lightbulb-autofix:visible').first().waitFor(); // VS Code knows of the actions
  await human.page.waitForTimeout(500); // and has asked for those at the cursor
}
