import type { Http, InputHandler, InputReading, InputRequest, Material } from '@bailing/plugin-api';
import { secondsOf } from './length/seconds.js';
import { transcription } from './transcription.js';

/** Writes one recording down by the protocol of the policy, and by no other (WIRE §12). */
export function audioHandler(http: Http): InputHandler {
  return {
    medium: 'audio',
    // Telephones put recordings into the general box of the format, which is told from the bytes as video.
    accepts: ['audio/*', 'video/mp4'],
    read: (request, signal) => read(request, http, signal),
    seconds: ({ mediaType, bytes }) => secondsOf(mediaType, bytes),
  };
}

async function read(request: InputRequest, http: Http, signal: AbortSignal): Promise<InputReading> {
  const { model, protocol, materials, maxChars } = request;
  const [material] = materials;
  if (!model) return { is: 'failed', says: 'no speech model is configured.' };
  if (protocol !== 'transcriptions' && protocol !== 'chat_input_audio') return { is: 'failed', says: 'its protocol is not known.' };
  try {
    const said =
      protocol === 'transcriptions'
        ? await transcription(material, model, http, signal)
        : await model.ask({ text: '', parts: [{ is: 'audio', data: address(material) }] }, signal);
    const text = said.trim();
    return text === ''
      ? { is: 'nothing', says: 'no speech was found in it.' }
      : { is: 'text', text: text.slice(0, maxChars).toWellFormed() };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ModelFailure') throw error;
    return { is: 'failed', says: error.message };
  }
}

function address({ mediaType, bytes }: Material): string {
  return `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}
