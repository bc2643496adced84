import { expect } from 'chai';
import { BROWSER_MP4, BROWSER_WEBM } from '../test-support/browser.js';
import { aFlac, aFramedFlac, anAdts, anAmr, anM4a, anMp3, anOgg, aTabledM4a, aWav } from '../test-support/containers.js';
import { secondsOf } from './seconds.js';

const MIB = 1_048_576;
const FRAME = 1_152 / 44_100;

describe('the length of a recording', () => {
  const known: readonly (readonly [string, string, Buffer, number])[] = [
    ['a WAV', 'audio/wav', aWav(3), 3],
    ['a WAV whose size was left open', 'audio/wav', aWav(3, 0), 3],
    ['a WAV whose size is all ones', 'audio/wav', aWav(3, 0xffff_ffff), 3],
    ['an MP3 of a variable rate between its tags', 'audio/mpeg', anMp3(100), 100 * FRAME],
    ['an MP3 without tags', 'audio/mpeg', anMp3(100, false), 100 * FRAME],
    ['an MP3 with a damaged spot', 'audio/mpeg', Buffer.concat([anMp3(50, false), Buffer.alloc(500), anMp3(50, false)]), 100 * FRAME],
    ['AAC', 'audio/aac', anAdts(50), 50 * 0.064],
    ['AMR', 'audio/amr', anAmr(150), 3],
    ['wide AMR', 'audio/amr', anAmr(150, true), 3],
    ['Ogg with Opus', 'audio/ogg', anOgg(4), 4],
    ['two Oggs one after the other', 'audio/ogg', Buffer.concat([anOgg(4), anOgg(3)]), 7],
    ['FLAC', 'audio/flac', aFlac(48_000), 3],
    ['FLAC whose head says less than its frames', 'audio/flac', aFramedFlac(16_000, 125), 32],
    ['FLAC whose head says nothing', 'audio/flac', aFramedFlac(0, 125), 32],
    ['FLAC whose head is right', 'audio/flac', aFramedFlac(125 * 4_096, 125), 32],
    ['a WAV whose samples go on behind their size', 'audio/wav', aWav(30, 16_000), 30],
    ['a WAV with its samples in two chunks', 'audio/wav', Buffer.concat([aWav(1), aWav(29).subarray(36)]), 30],
    ['an M4A with its table', 'audio/mp4', aTabledM4a({ said: 3, timed: 150, sized: 150 }), 3],
    ['an M4A whose head says less than its table', 'audio/mp4', aTabledM4a({ said: 1, timed: 256_000, sized: 256_000 }), 5_120],
    ['an M4A', 'audio/mp4', anM4a({ film: 3, track: 3 }), 3],
    ['an M4A whose film says less than its track', 'audio/mp4', anM4a({ film: 1, track: 3 }), 3],
    ['an MP4 in fragments', 'video/mp4', anM4a({ film: 0, track: 0, runs: [50, 25, 75] }), 3],
    ['a WebM of a browser', 'audio/webm', BROWSER_WEBM, 2.339],
    ['an MP4 of a browser', 'video/mp4', BROWSER_MP4, 2.088],
  ];
  for (const [title, type, bytes, seconds] of known) {
    it(`is told of ${title}`, () => {
      expect(secondsOf(type, bytes)).to.be.closeTo(seconds, 0.01);
    });
  }

  it('is not told where a head names none and nothing can be counted, and of what is no recording', () => {
    expect(secondsOf('audio/flac', aFlac(0))).to.equal(undefined);
    expect(secondsOf('audio/mpeg', Buffer.alloc(5_000, 7))).to.equal(undefined);
    expect(secondsOf('audio/basic', aWav(3))).to.equal(undefined);
    for (const [, type] of known) expect(secondsOf(type, Buffer.from('no recording at all, only words')), type).to.equal(undefined);
  });

  it('is not told where a head says less than so many bytes can be, or samples have no time', () => {
    expect(secondsOf('audio/flac', aFramedFlac(16_000, 3, 4 * MIB))).to.equal(undefined);
    expect(secondsOf('audio/mp4', aTabledM4a({ said: 1, timed: 50, sized: 256_000 }))).to.equal(undefined);
    expect(secondsOf('audio/mp4', aTabledM4a({ said: 1, timed: 50, sized: 50, media: 4 * MIB }))).to.equal(undefined);
    const packed = aWav(30);
    packed.writeUInt16LE(0x11, 20);
    packed.writeUInt32LE(4_000_000, 28);
    expect(secondsOf('audio/wav', packed)).to.equal(undefined);
    packed.writeUInt32LE(4_000, 28);
    expect(secondsOf('audio/wav', packed)).to.equal(120);
  });

  it('is told or not told of every cut and of every damage, without a fault', () => {
    for (const [title, type, bytes] of known) {
      for (let end = 0; end < Math.min(bytes.length, 600); end += 7) {
        const cut = secondsOf(type, bytes.subarray(0, end));
        expect(cut === undefined || cut > 0, title).to.equal(true);
      }
      for (let at = 0; at < Math.min(bytes.length, 600); at += 5) {
        const hurt = Buffer.from(bytes);
        hurt[at] = 0xff;
        const seconds = secondsOf(type, hurt);
        expect(seconds === undefined || (seconds > 0 && Number.isFinite(seconds)), title).to.equal(true);
      }
    }
  });

  it('costs one pass over what was made to be slow', () => {
    const slow: readonly (readonly [string, Buffer])[] = [
      ['audio/mpeg', Buffer.alloc(12 * MIB, 0xff)],
      ['audio/mpeg', Buffer.alloc(12 * MIB, Buffer.from([0xff, 0xfb, 0x10]))],
      ['audio/aac', Buffer.alloc(12 * MIB, Buffer.from([0xff, 0xf1, 0x60, 0x40, 0, 0xff, 0xfc]))],
      ['audio/amr', Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(12 * MIB, 0xff)])],
      ['audio/ogg', Buffer.alloc(12 * MIB, Buffer.concat([Buffer.from('OggS'), Buffer.alloc(23)]))],
      ['audio/mp4', Buffer.alloc(12 * MIB, Buffer.from('\0\0\0\x08moof', 'latin1'))],
      ['audio/flac', Buffer.concat([aFramedFlac(1, 0), Buffer.alloc(12 * MIB, Buffer.from([0xff, 0xf8, 0xc5, 0x08]))])],
      ['audio/wav', Buffer.concat([aWav(1), Buffer.alloc(12 * MIB, Buffer.from('data\x01\0\0\0', 'latin1'))])],
      ['audio/webm', Buffer.alloc(12 * MIB, Buffer.from([0xa3, 0x80]))],
    ];
    for (const [type, bytes] of slow) {
      const begun = performance.now();
      secondsOf(type, bytes);
      expect(performance.now() - begun, type).to.be.below(1_000);
    }
  });
});
