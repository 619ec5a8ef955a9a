// A selection as the pattern, one file as the scope, a document with unsaved changes,
// and a recent rule taken again.
export const unsavedJourney = {
  name: 'unsaved',
  files: { 'a.ts': 'foo(1);\n', 'b.ts': 'foo(1);\n' },
  async run(human, { assert, disk, step }) {
    await human.openFile('a.ts');
    await human.page.locator('.view-lines', { hasText: 'foo' }).first().click();
    await human.key('Control+Home', 'Shift+End', 'Shift+ArrowLeft'); // foo(1)
    await human.command('xcsh: Structural Replace');
    await human.answer('pattern', undefined, null);
    await human.page.locator('.quick-input-list', { hasText: '2 matches in 2 files' }).waitFor();
    assert.equal(await human.box.inputValue(), 'foo(1)');
    await human.key('Enter');
    await human.answer('replacement', 'bar(1)');
    await human.answer('where', 'This file');
    await human.row('AST Edit: 1 replacement in 1 file').first().waitFor();
    step('the selection is the pattern, and one file the scope');
    await human.command('xcsh: Discard Pending Edit');
    await human.answer('Discard "AST Edit', undefined);
    await human.page.locator('.pane-body', { hasText: 'No edit is pending' }).first().waitFor();

    await human.openFile('a.ts');
    await human.page.locator('.view-lines', { hasText: 'foo' }).first().click();
    await human.key('Control+End');
    await human.page.keyboard.type('foo(1)');
    await human.key('Control+Home');
    await human.command('xcsh: Structural Replace');
    await human.answer('pattern', undefined, null);
    await human.page.locator('.quick-input-list .monaco-list-row', { hasText: '→ bar(1)' }).first().waitFor();
    await human.key('Enter'); // the recent rule, with its replacement
    await human.answer('replacement', undefined);
    await human.answer('where', undefined);
    await human.row('AST Edit: 3 replacements in 2 files').first().waitFor();
    await human.command('xcsh: Apply Pending Edit');
    await human.answer('Apply "AST Edit', 'as before');
    await human.until('the closed file is written', () => disk('b.ts') === 'bar(1);\n');
    step('a recent rule is proposed again, over unsaved text');
    assert.equal(disk('a.ts'), 'foo(1);\n', 'unsaved changes were saved unasked');
    const offer = human.toast('had unsaved changes before').first();
    await offer.waitFor();
    await offer.locator('.monaco-button', { hasText: 'Save' }).first().click();
    await human.until('the document is saved', () => disk('a.ts') === 'bar(1);\nbar(1)');
    step('unsaved changes stay unsaved until the human saves them');
  },
};
