import { definePlugin, points, type ApprovalKind } from '@bailing/plugin-api';

/** Tells nobody: the question waits at the hub, for its API and the command line. */
export const consoleKind: ApprovalKind = {
  row: { type: 'object', properties: { type: { const: 'console' } }, required: ['type'] },
  open: () => ({
    compose: () => null,
    send: () => Promise.resolve({ is: 'failed', final: true, error: 'the console sends nothing' }),
  }),
};

/** The fallback of every route that names no other adapter. */
export const approvalConsolePlugin = definePlugin({
  id: 'approval-console',
  provides: (add) => [add(points.approval, 'console', () => consoleKind)],
});
