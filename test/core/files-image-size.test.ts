import { expect } from 'chai';
import fc from 'fast-check';
import { HEAD_BYTES } from '../../core/files/head.ts';
import { imageSize } from '../../core/files/image-size.ts';
import { cpuMs } from '../kit/cpu-time.ts';
import { samples } from './files-samples.ts';

const {
  jpg,
  jpgProgressive,
  jpgTurned,
  png,
  gif,
  webpLossy,
  webpLossless,
  webpAlpha,
  avif,
  avifAlpha,
  avifTurned,
} = samples;
const pictures = { jpg, jpgProgressive, png, gif, webpLossy, webpLossless, webpAlpha, avif, avifAlpha };
const turned = { jpgTurned, avifTurned };

describe('the size of a picture', () => {
  for (const [name, bytes] of Object.entries(pictures)) {
    it(`is read from ${name}`, () => {
      expect(imageSize(bytes)).to.deep.equal({ width: 30, height: 20 });
    });
  }

  for (const [name, bytes] of Object.entries(turned)) {
    it(`is that of the picture as shown for ${name}`, () => {
      expect(imageSize(bytes)).to.deep.equal({ width: 20, height: 30 });
    });
  }

  it('does not depend on where in memory the bytes lie', () => {
    const moved = Buffer.concat([Buffer.alloc(13), jpgTurned]).subarray(13);
    expect(imageSize(moved)).to.deep.equal({ width: 20, height: 30 });
  });

  it('turns a JPEG for the orientations 5 to 8 only, in both byte orders', () => {
    for (let orientation = 0; orientation <= 9; orientation += 1) {
      const width = orientation >= 5 && orientation <= 8 ? 20 : 30;
      for (const little of [true, false]) {
        expect(imageSize(withOrientation(orientation, little))?.width, `${orientation}`).to.equal(width);
      }
    }
  });

  it('keeps claims past any real picture, for the caller to judge', () => {
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(0xffffffff, 16);
    expect(imageSize(bomb)?.width).to.equal(0xffffffff);
  });

  it('is null for other files, nothing, and zero', () => {
    const zero = Buffer.from(png);
    zero.writeUInt32BE(0, 16);
    for (const bytes of [
      samples.mp4,
      samples.wav,
      samples.docx,
      Buffer.from('<svg width="3"/>'),
      Buffer.alloc(0),
      zero,
    ]) {
      expect(imageSize(bytes)).to.equal(null);
    }
  });

  it('is right or null for a picture cut anywhere', () => {
    for (const [name, bytes] of Object.entries({ ...pictures, ...turned })) {
      for (let length = 0; length < bytes.byteLength; length += 1) {
        const size = imageSize(bytes.subarray(0, length));
        if (size !== null) expect(size.width * size.height, `${name} ${length}`).to.equal(600);
      }
    }
  });

  it('answers on any damage, at once', () => {
    const change = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 10 });
    const seeds = fc.constantFrom(...Object.values({ ...pictures, ...turned }));
    const property = fc.property(seeds, change, (seed, changes) => {
      const bytes = Buffer.from(seed);
      for (const [at, value] of changes) if (at < bytes.byteLength) bytes[at] = value;
      imageSize(bytes);
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('is quick on heads made to be slow', () => {
    const starts = ['ffd8ff', 'ffd8ffe00002', '0000000c66747970', '0000000c667479706d65746100000008'];
    for (const start of starts) {
      for (const fill of ['ff', 'ffe00002', '00000008', '0000000866726565', '00', 'ffe1000845786966']) {
        const head = Buffer.alloc(HEAD_BYTES, fill, 'hex');
        Buffer.from(start, 'hex').copy(head);
        expect(
          cpuMs(() => imageSize(head)),
          `${start} ${fill}`,
        ).to.be.below(200);
      }
    }
  });
});

/** The plain JPEG with a camera's block of one entry in front. */
function withOrientation(orientation: number, little: boolean): Buffer {
  const block = Buffer.alloc(36);
  const short = (value: number, at: number): unknown =>
    little ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at);
  const long = (value: number, at: number): unknown =>
    little ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at);
  block.writeUInt16BE(0xffe1, 0);
  block.writeUInt16BE(block.byteLength - 2, 2);
  block.write('Exif\0\0', 4, 'latin1');
  block.write(little ? 'II' : 'MM', 10, 'latin1');
  short(42, 12);
  long(8, 14);
  short(1, 18);
  short(0x0112, 20);
  short(3, 22);
  long(1, 24);
  short(orientation, 28);
  return Buffer.concat([jpg.subarray(0, 2), block, jpg.subarray(2)]);
}
