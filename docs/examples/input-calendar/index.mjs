import { definePlugin, points } from '@bailing/plugin-api';

const CONFIG = {
  type: 'object',
  properties: { most_events: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 } },
  additionalProperties: false,
};

export default definePlugin({
  id: 'input-calendar',
  config: CONFIG,
  provides: (add) => [
    add(points.input, 'calendar', ({ config }) => ({
      medium: 'file',
      accepts: ['text/calendar'],
      read: async ({ materials: [material], maxChars }, signal) => {
        signal.throwIfAborted();
        return readCalendar(material.bytes, config.most_events, maxChars);
      },
    })),
  ],
});

// What cannot be read is an outcome with a sentence, never a throw.
function readCalendar(bytes, mostEvents, maxChars) {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, 2_000_000));
  if (!text.trimStart().startsWith('BEGIN:VCALENDAR')) return { is: 'failed', says: 'it is no calendar.', parser: 'calendar' };
  const events = eventsOf(text).slice(0, mostEvents);
  if (events.length === 0) return { is: 'nothing', says: 'there are no events in it.', parser: 'calendar' };
  return { is: 'text', text: events.map(sentence).join('\n').slice(0, maxChars), parser: 'calendar' };
}

function eventsOf(text) {
  const events = [];
  let event;
  // A line that begins with a space goes on with the one before it.
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, name, value] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    if (name === 'BEGIN' && value === 'VEVENT') event = {};
    else if (name === 'END' && value === 'VEVENT' && event) {
      events.push(event);
      event = undefined;
    } else if (event && name) event[name] = value.replace(/\\n/gi, ' ').replace(/\\([,;\\])/g, '$1');
  }
  return events;
}

function sentence({ SUMMARY = 'untitled', DTSTART = '?', DTEND, LOCATION, DESCRIPTION }) {
  const time = DTEND ? `${when(DTSTART)} to ${when(DTEND)}` : when(DTSTART);
  return [`${time}: ${SUMMARY}`, LOCATION && `at ${LOCATION}`, DESCRIPTION].filter(Boolean).join('; ');
}

function when(stamp) {
  return stamp.replace(/^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?$/, (_all, y, m, d, hour, minute, zone) =>
    hour === undefined ? `${y}-${m}-${d}` : `${y}-${m}-${d} ${hour}:${minute}${zone && ' UTC'}`,
  );
}
