// The tool module: evaluated once, its factory called once, its tools called by
// their place in what the factory returned.
import { openUpdates } from './updates.mjs';
import { renderCall, renderResult } from './render.mjs';
import { failure, isObject, stringify } from './values.mjs';

// factoryOf finds the function that a module exports: as its default, as
// module.exports, or as exports.default of CommonJS.
function factoryOf(module) {
  const exported = module.default ?? module;
  return typeof exported === 'function' ? exported : exported?.default;
}

const isFunction = (value) => typeof value === 'function';

const shapeOf = (tool) => isObject(tool) ? {
  hasName: typeof tool.name === 'string' && tool.name !== '',
  hasDescription: typeof tool.description === 'string',
  hasParameters: 'parameters' in tool,
  hasExecute: isFunction(tool.execute),
} : {};

const isTool = (shape) => shape.hasName && shape.hasDescription && shape.hasParameters && shape.hasExecute;

// describe reads a tool's properties as they are now.
function describe(tool) {
  const parameters = stringify(tool.parameters);
  return {
    name: tool.name,
    label: typeof tool.label === 'string' ? tool.label : '',
    description: String(tool.description),
    parameters: parameters && JSON.parse(parameters),
    hidden: tool.hidden === true,
    deferrable: tool.deferrable === true,
    strict: tool.strict === true,
    concurrency: typeof tool.concurrency === 'string' ? tool.concurrency : undefined,
    nonAbortable: tool.nonAbortable === true,
    lenientArgValidation: tool.lenientArgValidation === true,
    hasRenderCall: isFunction(tool.renderCall),
    hasRenderResult: isFunction(tool.renderResult),
    mergeCallAndResult: tool.mergeCallAndResult === true,
    hasOnSession: isFunction(tool.onSession),
  };
}

export function openModule({ url, api, context, link }) {
  let tools = [];

  // elementOf is what the server learns of one element. One that throws when it
  // is looked at is no tool, and costs those beside it nothing.
  function elementOf(tool, index) {
    try {
      const shape = shapeOf(tool);
      return { shape, definition: isTool(shape) ? describe(tool) : undefined };
    } catch (thrown) {
      api.logger.warn(`the tool at index ${index} cannot be looked at: ${failure(thrown).message}`);
      return { shape: {} };
    }
  }

  async function load() {
    const factory = factoryOf(await import(url));
    if (!isFunction(factory)) return { elements: null };
    const made = await factory(api);
    tools = Array.isArray(made) ? made : [made];
    return { elements: tools.map(elementOf) };
  }

  async function execute({ element, toolCallId, params, toolContext, updates }, signal) {
    const { worker, call } = link.origin();
    const flow = openUpdates((partials) =>
      link.post(`{"jsonrpc":"2.0","method":"update","params":{"worker":${worker},"call":${call},"partials":${partials}}}`));
    const onUpdate = updates ? flow.update : undefined;
    try {
      return await tools[element].execute(toolCallId, params, onUpdate, context(toolContext), signal);
    } finally {
      flow.close();
    }
  }

  return {
    methods: {
      load,
      execute,
      describe: ({ element }) => describe(tools[element]),
      session: async ({ element, event, toolContext }) => {
        // The contract's start event has this key, which JSON has no word for.
        const whole = event.reason === 'start' || event.reason === 'tree' || event.reason === 'shutdown'
          ? { previousSessionFile: undefined, ...event } : event;
        await tools[element].onSession(whole, context(toolContext));
      },
      renderCall: ({ element, args, options }) => renderCall(tools[element], args, options),
      renderResult: ({ element, result, args, options }) => renderResult(tools[element], result, args, options),
    },
  };
}
