import { definePlugin, points } from '@bailing/plugin-api';
import { imageHandler } from './handler.js';

/** Images, through the vision model that the route's policy names. */
export const inputImagePlugin = definePlugin({
  id: 'input-image',
  provides: (add) => [add(points.input, 'vision', () => imageHandler)],
});
