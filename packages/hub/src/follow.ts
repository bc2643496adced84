import { isShown } from '@bailing/engine';
import type { Settings, Wakeups } from '@bailing/engine/ports';
import { StreamSeats, type FollowApi } from '@bailing/http';
import type { Streams } from '@bailing/plugin-api';

/** Reading jobs along, over the chosen broker and the wake-ups of this process. */
export function followApi(streams: Streams, wakeups: Wakeups, settings: () => Settings): FollowApi {
  return {
    seats: new StreamSeats(),
    streaming: (job) => {
      const route = settings().route(job.route);
      return route !== undefined && isShown(route);
    },
    read: (job, after) => streams.read(job, after),
    more: (job, after, signal, maxMs) => streams.wait(job, after, signal, maxMs),
    moved: (job, signal, maxMs) => wakeups.wait(`job:${job}`, signal, maxMs),
  };
}
