// The render hooks, as plain text.
import { theme } from './theme.mjs';

const width = 80; // columns, by the contract

function textOf(component) {
  if (!component) return '';
  return typeof component === 'string' ? component : component.render(width).join('\n');
}

// Older tools declare renderCall(args, theme).
export const renderCall = (tool, args, options) =>
  textOf(tool.renderCall.length >= 3 ? tool.renderCall(args, options, theme) : tool.renderCall(args, theme));

export const renderResult = (tool, result, args, options) =>
  textOf(tool.renderResult(result, options, theme, args));
