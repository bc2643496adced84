import { expect } from 'chai';
import { BROWSER_MP4, BROWSER_WEBM } from '../test-support/browser.js';
import { aFlac, anAdts, anAmr, anM4a, anMp3, anOgg, aWav } from '../test-support/containers.js';
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
      ['audio/webm', Buffer.alloc(12 * MIB, Buffer.from([0xa3, 0x80]))],
    ];
    for (const [type, bytes] of slow) {
      const begun = performance.now();
      secondsOf(type, bytes);
      expect(performance.now() - begun, type).to.be.below(1_000);
    }
  });
});
