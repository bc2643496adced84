import { expect } from 'chai';
import { ask, eventsOf, waitForEnd, type Event } from '../support/http.js';
import type { AiAnswer, AiRequest } from '../support/ai-server.js';
import { BRAIN_KEY, makeInputWorld, SIDE_KEY, type InputWorld } from '../support/input-world.js';

const WAV = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(2_000, 'sound-of-the-recording ')]);
const MP3 = Buffer.concat([Buffer.from('ID3\x03\0'), Buffer.alloc(500, 7)]);
/** Eight-bit mono at 1 kHz: a thousand bytes are a second. */
const wavOf = (seconds: number): Buffer => {
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\xe8\x03\0\0\xe8\x03\0\0\x01\0\x08\0data', 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(seconds * 1_000);
  return Buffer.concat([head, size, Buffer.alloc(seconds * 1_000, 128)]);
};
const json = (text: string): AiAnswer => ({ status: 200, body: JSON.stringify({ text }) });
const EN_GUIDANCE = 'Your recording could not be listened to here. Please write what you need as text.';

describe('journey: recordings that users link to', function () {
  this.timeout(30_000);
  let world: InputWorld;
  let side: (request: AiRequest) => AiAnswer = () => json('Where is order A-1001?');
  before(async () => {
    world = await makeInputWorld({
      routes: {
        plain: undefined,
        off: { audio: { mode: 'off' } },
        write: { audio: { credential: 'side' } },
        small: { audio: { credential: 'side', max_bytes: 1_024 } },
        brief: { audio: { credential: 'side', max_seconds: 2 } },
        chat: { audio: { credential: 'side', model: 'asr-model', protocol: 'chat_input_audio' } },
        inline: { audio: { mode: 'inline' } },
        unnamed: { audio: { model: 'whisper' } },
        bare: { audio: { credential: 'bare' } },
        switched: { audio: { credential: 'off' } },
        unplaced: { audio: { credential: 'nowhere' } },
        agent: { audio: { credential: 'side' } },
        agentplain: undefined,
        agentinline: { audio: { mode: 'inline' } },
      },
      handedOut: ['agent', 'agentplain', 'agentinline'],
      media: {
        '/a.wav': WAV,
        '/b.mp3': MP3,
        '/c.wav': WAV,
        '/d.wav': WAV,
        '/e.wav': WAV,
        '/f.wav': WAV,
        '/two.wav': wavOf(2),
        '/three.wav': wavOf(3),
        '/huge.wav': Buffer.concat([WAV, Buffer.alloc(12_582_913 - WAV.length)]),
        '/lie.mp3': Buffer.from('not a recording'),
      },
      side: (request) => side(request),
      autoRoutes: { billing: 'refund', shipping: 'parcel' },
    });
  });
  after(() => world.close());
  beforeEach(() => {
    side = () => json('Where is order A-1001?');
  });
  const voice = (path = '/a.wav', label = 'voice') => `[${label}](${world.media.url}${path})`;
  const spoken = (events: readonly Event[]) =>
    events.filter(({ event }) => event.startsWith('speech')).map(({ event, detail }) => ({ event, ...detail }));
  const asked = () => world.brain.asked.length + world.side.asked.length + world.media.asked.length;

  it('are not listened to without configuration: nothing is fetched, no model is asked, and the user is told what to do', async () => {
    const before = asked();
    for (const [route, reason] of [
      ['plain', 'audio_policy_unconfigured'],
      ['off', 'audio_policy_disabled'],
    ] as const) {
      const { text, events, job } = await world.run(route, voice());
      expect([job.status, text]).to.deep.equal(['done', EN_GUIDANCE]);
      expect(spoken(events)).to.deep.equal([{ event: 'speech_skipped', requested: 'off', reason }]);
    }
    expect((await world.run('plain', `[语音：留言](${world.media.url}/a.wav)`)).text).to.equal(
      '这里无法收听您的语音，请改用文字说明您的需要。',
    );
    expect(asked()).to.equal(before);
  });

  it('beside words are named as not heard, and the model is obliged to say so', async () => {
    await world.run('plain', `Please help me. ${voice('/a.wav', 'my voice')}`);
    expect(world.lastUser()).to.match(
      /^Please help me\.[^]*\[hub\] Recording 1 \(my voice\) was not listened to: recordings are not accepted here\.$/,
    );
    expect(world.lastSystem()).to.include('Do not guess its content');
    expect(JSON.stringify(world.brain.asked.at(-1)?.body)).to.not.include('input_audio');
  });

  it('are written down by multipart, named and typed by their container, and are then as good as typed', async () => {
    const { events, text } = await world.run('write', voice());
    expect(text).to.equal('All right.');
    const request = world.side.asked.at(-1);
    const body = request?.raw.toString('latin1') ?? '';
    expect([request?.path, request?.authorization]).to.deep.equal(['/v1/audio/transcriptions', `Bearer ${SIDE_KEY}`]);
    expect(request?.contentType).to.match(/^multipart\/form-data; ?boundary=/);
    expect(body).to.match(/name="model"\r\n\r\nside-model\r\n/);
    expect(body).to.match(/name="file"; filename="recording\.wav"\r\nContent-Type: audio\/wav\r\n\r\nRIFF/);
    expect(world.lastUser()).to.equal(`${voice()}\n\n[recording 1, voice]\nWhere is order A-1001?`);
    expect(spoken(events)).to.deep.equal([
      {
        event: 'speech',
        mode: 'transcribe',
        protocol: 'transcriptions',
        model: 'side-model',
        index: 0,
        ok: true,
        bytes: WAV.length,
        mime: 'audio/wav',
      },
    ]);
    expect(events.find(({ event }) => event === 'llm_request')?.detail).to.include({
      audio_mode: 'transcribe',
      audio: 1,
      audio_model: 'side-model',
    });
    const ledger = JSON.stringify(events);
    for (const secret of ['sound-of-the-recording', WAV.toString('base64').slice(0, 40), SIDE_KEY, BRAIN_KEY])
      expect(ledger).to.not.include(secret);
  });

  it('are written down once where a job listens again soon', async () => {
    const before = world.side.asked.length;
    await world.run('write', `${voice('/c.wav')} first`);
    const { events } = await world.run('write', `${voice('/c.wav')} again`);
    expect(world.side.asked.length - before).to.equal(1);
    expect(spoken(events)[0]).to.include({ ok: true, bytes: WAV.length });
  });

  it('may go as a data URL to chat completions, where the policy says so, and never otherwise', async () => {
    side = (request) => (request.path === '/v1/chat/completions' ? 'Where is order A-1001?' : { status: 404, body: '{}' });
    const { events } = await world.run('chat', voice('/b.mp3'));
    const request = world.side.asked.at(-1);
    expect(request?.body.model).to.equal('asr-model');
    expect(request?.body.messages).to.deep.equal([
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: `data:audio/mpeg;base64,${MP3.toString('base64')}` } }] },
    ]);
    expect(spoken(events)[0]).to.include({ protocol: 'chat_input_audio', ok: true, mime: 'audio/mpeg' });
    const before = world.side.asked.length;
    const refused = await world.run('write', voice('/d.wav'));
    expect(world.side.asked.slice(before).map(({ path }) => path)).to.deep.equal(['/v1/audio/transcriptions']);
    expect(refused.text).to.equal(EN_GUIDANCE);
  });

  it('take plain answers as well as JSON; silence, pages and failures are told as such', async () => {
    side = () => ({ status: 200, body: 'Plain words\n', type: 'text/plain' });
    await world.run('write', voice('/e.wav'));
    expect(world.lastUser()).to.include('[recording 1, voice]\nPlain words');
    const failing: [AiAnswer, RegExp][] = [
      [json('  '), /no speech was found/],
      [{ status: 200, body: '<html>hello</html>', type: 'text/html' }, /web page/],
      [{ status: 200, body: '{"result":"x"}' }, /without a text/],
      [{ status: 401, body: `{"error":{"message":"bad key ${SIDE_KEY}"}}` }, /LLM 401: bad key \[secret\]/],
      [{ status: 302, body: '' }, /LLM 302|could not be reached/],
    ];
    for (const [answer, says] of failing) {
      side = () => answer;
      const { text, events } = await world.run('write', voice('/f.wav'));
      expect(text).to.equal(EN_GUIDANCE);
      expect(spoken(events)[0]).to.include({ ok: false }).and.have.property('error').that.matches(says);
    }
  });

  it('that are too large, or no recordings, are not sent anywhere', async () => {
    const before = world.side.asked.length;
    const large = await world.run('small', voice());
    const huge = await world.run('write', voice('/huge.wav'));
    expect(spoken(huge.events)[0]).to.include({ ok: false, error: 'BAILING_OUTBOUND_TOO_LARGE' });
    const lie = await world.run('write', voice('/lie.mp3'));
    expect(world.side.asked.length).to.equal(before);
    expect(spoken(large.events)[0]).to.include({ ok: false, error: 'BAILING_OUTBOUND_TOO_LARGE' });
    expect(spoken(lie.events)[0]).to.include({ ok: false, error: 'unsupported', mime: 'text/plain' });
  });

  it('are listened to up to the length of the policy; one that is longer, or whose length cannot be told, is sent nowhere', async () => {
    await world.run('brief', voice('/two.wav'));
    expect(world.lastUser()).to.include('[recording 1, voice]\nWhere is order A-1001?');
    const before = world.side.asked.length;
    const long = await world.run('brief', voice('/three.wav'));
    expect(long.text).to.equal(
      'Your recording could not be listened to here: it has to be one of at most 2 seconds. Please send a shorter one, or write what you need as text.',
    );
    expect(spoken(long.events)).to.deep.equal([
      {
        event: 'speech',
        mode: 'transcribe',
        protocol: 'transcriptions',
        model: 'side-model',
        index: 0,
        ok: false,
        bytes: 3_044,
        mime: 'audio/wav',
        error: 'too_long',
      },
    ]);
    const unknown = await world.run('brief', `Please help. ${voice('/b.mp3')}`);
    expect(spoken(unknown.events)[0]).to.include({ ok: false, error: 'length_unknown', mime: 'audio/mpeg' });
    expect(world.lastUser()).to.include('how long it is cannot be told, and only 2 seconds are listened to');
    expect(world.side.asked.length).to.equal(before);
    await world.run('write', voice('/three.wav'));
    expect(world.side.asked.length).to.equal(before + 1);
  });

  it('stay unheard where credential, model or endpoint do not resolve: nothing falls back to the brain', async () => {
    for (const [route, credential] of [
      ['unnamed', ''],
      ['bare', 'bare'],
      ['switched', 'off'],
      ['unplaced', 'nowhere'],
    ] as const) {
      const before = asked();
      const { text, events } = await world.run(route, voice());
      expect(text, route).to.equal(EN_GUIDANCE);
      expect(spoken(events)).to.deep.equal([
        { event: 'speech_degraded', requested: 'transcribe', reason: 'audio_model_unresolved', credential },
      ]);
      expect(asked(), route).to.equal(before);
    }
  });

  it('go to the brain as addresses with inline, which the operator has to write', async () => {
    await world.run('inline', `Listen ${voice()}`);
    expect(world.brain.asked.at(-1)?.body.messages?.find(({ role }) => role === 'user')?.content).to.deep.equal([
      { type: 'text', text: `Listen ${voice()}` },
      { type: 'input_audio', input_audio: { url: `${world.media.url}/a.wav` } },
    ]);
  });

  it('reach an executor written down, as a list with inline, and as a sentence otherwise', async () => {
    const job = await world.work('agent', voice());
    expect([job.input, job.user_audio]).to.deep.equal([`${voice()}\n\n[recording 1, voice]\nWhere is order A-1001?`, []]);
    expect((await world.work('agentinline', voice())).user_audio).to.deep.equal([{ url: `${world.media.url}/a.wav`, name: 'voice' }]);
    const plain = await world.work('agentplain', voice());
    expect(plain.user_audio).to.deep.equal([]);
    expect(plain.input).to.include('was not listened to').and.include('ask for the same in writing');
  });

  it('lead to a route by what is said in them, and are listened to once for it', async () => {
    side = () => json('I want a refund for my order');
    const before = world.side.asked.length;
    const { status, body } = await ask(world.hub.url, 'POST', '/run', { request_id: 'auto:1', route: 'auto', input: voice('/a.wav?auto') });
    expect([status, body.route]).to.deep.equal([202, 'billing']);
    await waitForEnd(world.hub.url, String(body.job_id));
    expect(spoken(await eventsOf(world.hub.url, String(body.job_id)))[0]).to.include({ event: 'speech', ok: true });
    expect(world.side.asked.length - before).to.equal(1);
    expect(world.lastUser()).to.include('I want a refund');
  });
});
