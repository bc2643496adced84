import { definePlugin, points, services } from '@bailing/plugin-api';
import { audioHandler } from './handler.js';

/** Recordings, through the speech model that the route's policy names. */
export const inputAudioPlugin = definePlugin({
  id: 'input-audio',
  needs: { http: services.http },
  provides: (add) => [add(points.input, 'speech', ({ services: { http } }) => audioHandler(http))],
});
