// The smallest tool: plain JavaScript, no build, no imports.
module.exports = () => ({
  name: 'hello',
  label: 'Hello',
  description: 'Greets someone by name.',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  async execute(_id, params) {
    return { content: [{ type: 'text', text: `Hello, ${params.name}!` }], details: { name: params.name } };
  },
});
