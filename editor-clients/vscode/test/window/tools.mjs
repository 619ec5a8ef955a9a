// A custom tool of the workspace that asks the human; and a folder without trust.
const tool = `export default (pi) => ({
  name: "greet", label: "Greet", description: "Asks for a name.",
  parameters: pi.typebox.Type.Object({}),
  async execute(_id, _params, _update, ctx) {
    const name = await pi.ui.input("Whom?", "a name");
    return { content: [{ type: "text", text: "Hello " + name }] };
  },
});
`;

/** Tools that the workspace brings: the human is asked, then calls one from the palette. */
export const toolJourney = {
  name: 'tool',
  files: { 'a.ts': 'foo();\n', '.xcsh/tools/greet.ts': tool },
  async run(human, { step }) {
    await human.toast('This workspace brings tools of its own').first().waitFor();
    await human.shot('vscode-trust');
    await human.toast('This workspace brings tools of its own').first().locator('.monaco-button', { hasText: 'Trust' }).first().click();
    step('the tools of the workspace are held back until the human trusts them');
    await human.command('xcsh: Call Tool');
    await human.page.locator('.quick-input-list .monaco-list-row', { hasText: 'greet' }).first().waitFor();
    await human.key('Enter');
    await human.answer('Whom?', 'Ada');
    await human.toast('Hello Ada').first().waitFor();
    step('a tool asks by ui.input, and its result is shown');
  },
};

export const untrustedJourney = {
  name: 'untrusted',
  trust: true,
  settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
  files: { 'a.ts': 'foo(1);\n', '.xcsh/tools/greet.ts': tool },
  async run(human, { step, assert, disk }) {
    await human.openFile('a.ts');
    await human.command('xcsh: Structural Replace');
    await human.answer('pattern', 'foo($A)', null);
    await human.page.locator('.quick-input-list', { hasText: '1 match in 1 file' }).waitFor();
    await human.key('Enter');
    await human.answer('replacement', 'bar($A)');
    await human.answer('where', undefined);
    await human.row('AST Edit: 1 replacement').first().waitFor();
    step('an edit can be proposed in a folder without trust');
    assert.equal(await human.toast('tools of its own').count(), 0, 'the human is asked to trust');
    await human.command('xcsh: Call Tool');
    await human.toast('No custom tool is loaded').first().waitFor();
    step('its tools are not loaded, and nobody is asked');
    assert.equal(disk('a.ts'), 'foo(1);\n');
    await human.command('Workspaces: Manage Workspace Trust');
    await human.page.locator('.workspace-trust-buttons-row .monaco-button', { hasText: 'Trust' }).first().click();
    const asked = human.toast('This workspace brings tools of its own').first();
    await asked.waitFor();
    await asked.locator('.monaco-button', { hasText: 'Trust' }).first().click();
    await human.command('xcsh: Call Tool');
    await human.page.locator('.quick-input-list .monaco-list-row', { hasText: 'greet' }).first().waitFor();
    step('once VS Code trusts the folder the human is asked, and the tools load');
  },
};
