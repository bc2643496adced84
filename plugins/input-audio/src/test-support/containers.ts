/** Containers as recorders write them, with silence inside. */

function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u32be(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, n) => bytes.writeUInt32BE(value, 4 * n));
  return bytes;
}

/** 16-bit mono; `says` stands where the size of the samples does. */
export function aWav(seconds: number, says?: number, hertz = 8_000): Buffer {
  const samples = Buffer.alloc(Math.round(seconds * hertz) * 2);
  const form = Buffer.alloc(16);
  form.writeUInt16LE(1, 0);
  form.writeUInt16LE(1, 2);
  form.writeUInt32LE(hertz, 4);
  form.writeUInt32LE(hertz * 2, 8);
  form.writeUInt16LE(2, 12);
  form.writeUInt16LE(16, 14);
  const parts = [Buffer.from('WAVEfmt '), u32le(16), form, Buffer.from('data'), u32le(says ?? samples.length), samples];
  return Buffer.concat([Buffer.from('RIFF'), u32le(36 + samples.length), ...parts]);
}

/** MPEG-1 layer III, 44.1 kHz, frames of alternating 32 and 64 kbit/s: 1152 samples each. */
export function anMp3(frames: number, tags = true): Buffer {
  const frame = (kilobits: 32 | 64) => {
    const bytes = Buffer.alloc(Math.floor((144_000 * kilobits) / 44_100));
    bytes.set([0xff, 0xfb, kilobits === 32 ? 0x10 : 0x50, 0xc0]);
    return bytes;
  };
  const body = Array.from({ length: frames }, (_none, n) => frame(n % 2 === 0 ? 32 : 64));
  const id3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\0', 'latin1'), Buffer.alloc(128, 0xff)]);
  return tags ? Buffer.concat([id3, ...body, Buffer.from('TAG'), Buffer.alloc(125)]) : Buffer.concat(body);
}

/** AAC at 16 kHz: 1024 samples a frame. */
export function anAdts(frames: number): Buffer {
  const frame = Buffer.alloc(40);
  frame.set([0xff, 0xf1, (1 << 6) | (8 << 2), 0x40 | (40 >> 11), (40 >> 3) & 0xff, ((40 & 7) << 5) | 0x1f, 0xfc]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

export function anAmr(frames: number, wide = false): Buffer {
  const [head, mode, size] = wide ? ['#!AMR-WB\n', 2, 32] : ['#!AMR\n', 7, 31];
  const frame = Buffer.alloc(1 + size);
  frame[0] = (mode << 3) | 4;
  return Buffer.concat([Buffer.from(head), ...Array.from({ length: frames }, () => frame)]);
}

/** Opus in pages of one second; 312 samples at the start are not played. */
export function anOgg(seconds: number): Buffer {
  const head = Buffer.concat([Buffer.from('OpusHead\x01\x01', 'latin1'), Buffer.from([0x38, 0x01]), u32le(48_000), Buffer.alloc(3)]);
  const pages = Array.from({ length: seconds }, (_none, n) => page(0, BigInt(312 + (n + 1) * 48_000), Buffer.alloc(300)));
  return Buffer.concat([page(2, 0n, head), page(0, 0n, Buffer.from('OpusTags')), ...pages]);
}

function page(flags: number, place: bigint, packet: Buffer): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS');
  head[5] = flags;
  head.writeBigInt64LE(place, 6);
  head.writeUInt32LE(7, 14);
  const laces = [...Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255];
  head[26] = laces.length;
  return Buffer.concat([head, Buffer.from(laces), packet]);
}

/** `samples` 0: a length that was not known when it began. */
export function aFlac(samples: number, hertz = 16_000): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt32BE(hertz * 4_096, 10);
  info.writeUInt32BE(samples, 14);
  return Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), info, Buffer.alloc(100)]);
}

/** A mono FLAC of 16 bits at 16 kHz whose head says `said` samples before `frames` frames of 4096 each; `junk` bytes follow. */
export function aFramedFlac(said: number, frames: number, junk = 0): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4_096, 0);
  info.writeUInt16BE(4_096, 2);
  info.writeUInt32BE(16_000 * 4_096 + (15 << 4), 10);
  info.writeUInt32BE(said, 14);
  const frame = (n: number) => {
    const head = Buffer.from([0xff, 0xf8, 0xc5, 0x08, n]);
    return Buffer.concat([head, Buffer.from([crc8(head), 0]), Buffer.alloc(20)]);
  };
  const all = Array.from({ length: frames }, (_none, n) => frame(n % 128));
  return Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), info, ...all, Buffer.alloc(junk, 0x55)]);
}

function crc8(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => {
    let crc = sum ^ byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ ((crc & 0x80) !== 0 ? 7 : 0)) & 0xff;
    return crc;
  }, 0);
}

function box(name: string, ...inside: Buffer[]): Buffer {
  const body = Buffer.concat(inside);
  return Buffer.concat([u32be(8 + body.length), Buffer.from(name), body]);
}

/** A head that says `said` seconds; tables of `timed` samples of 20 ms and `sized` samples; `media` bytes. */
export function aTabledM4a({ said, timed, sized, media = 50 }: { said: number; timed: number; sized: number; media?: number }): Buffer {
  const time = (ticks: number) => u32be(0, 0, 0, ticks, said * ticks);
  const tables = box('stbl', box('stts', u32be(0, 1, timed, 960)), box('stsz', u32be(0, 0, sized)));
  const trak = box('trak', box('tkhd', u32be(0, 0, 0, 1)), box('mdia', box('mdhd', time(48_000)), box('minf', tables)));
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0')),
    box('moov', box('mvhd', time(1_000)), trak),
    box('mdat', Buffer.alloc(media)),
  ]);
}

/** `film` and `track`: what the head says, in seconds; `runs`: fragments of so many samples of 20 ms. */
export function anM4a({ film, track, runs = [] }: { film: number; track: number; runs?: readonly number[] }): Buffer {
  const time = (ticks: number, seconds: number) => u32be(0, 0, 0, ticks, seconds * ticks);
  const moov = box(
    'moov',
    box('mvhd', time(1_000, film)),
    box('trak', box('tkhd', u32be(0, 0, 0, 1)), box('mdia', box('mdhd', time(48_000, track)))),
    box('mvex', box('trex', u32be(0, 1, 1, 960, 0, 0))),
  );
  const fragment = (samples: number, n: number) => {
    const each = Buffer.concat(Array.from({ length: samples }, () => u32be(960, 10)));
    const run = n === 0 ? box('trun', u32be(0, samples)) : box('trun', u32be(0x301, samples, 0), each);
    return Buffer.concat([box('moof', box('traf', box('tfhd', u32be(0, 1)), run)), box('mdat', Buffer.alloc(50))]);
  };
  return Buffer.concat([box('ftyp', Buffer.from('M4A \0\0\0\0')), moov, ...runs.map(fragment)]);
}
