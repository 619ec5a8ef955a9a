// pi.pi, which is also what an import of a host package gives.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as components from './components.mjs';
import { theme } from './theme.mjs';

// The version of the documented host that this namespace follows; tools only
// print it.
const VERSION = '0.1.0';

// StringEnum is the schema of one of some strings, in the one form that every
// model's provider takes.
function StringEnum(values, { description, default: initial } = {}) {
  return {
    type: 'string',
    enum: [...values],
    ...(description !== undefined && { description }),
    ...(initial !== undefined && { default: initial }),
  };
}

// getAgentDir is the folder of the user's own configuration.
const getAgentDir = () =>
  resolve(process.env.PI_CODING_AGENT_DIR || join(homedir(), process.env.PI_CONFIG_DIR || '.xcsh', 'agent'));

export const makePi = ({ Type, logger }) => ({ ...components, StringEnum, Type, VERSION, getAgentDir, logger, theme });
