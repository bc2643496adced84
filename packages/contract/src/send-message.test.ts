import { expect } from 'chai';
import { idempotencyKey, sendHash, sendMaterial } from './index.js';

describe('the hash of a message (WIRE §7.3)', () => {
  const message = { channel: 'wecom-main', to: ['u2', 'u1'], text: ' Hi\n', files: [{ name: 'a.txt', content: 'hello\n' }] };

  it('is the one of the contract', () => {
    expect(sendMaterial(message)).to.equal(
      '{"c":"wecom-main","to":["u1","u2"],"text":"Hi","files":[{"n":"a.txt","h":"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"}]}',
    );
    const argsHash = sendHash(message);
    expect(argsHash).to.equal('ab982541fc772eb3962d123e2954a18a84a6ed52b613683d262065b68b9a79a2');
    const job = '11111111-2222-4333-8444-555555555555';
    expect(idempotencyKey({ jobId: job, tool: 'send_message', argsHash, onBehalfOf: '' })).to.equal(
      '7f51fd130d4f98a7578bd84697400d8b217573d75345ecf6fadbf15542301c99',
    );
  });

  it('names a fetched file by its address, and covers what POST /send adds only where it is there', () => {
    const fetched = { ...message, files: [{ name: 'a', url: 'https://x.example/a' }] };
    expect(sendMaterial(fetched)).to.include('"files":[{"n":"a","u":"https://x.example/a"}]}');
    expect(sendHash({ ...message, images: [] })).to.equal(sendHash(message));
    expect(sendHash({ ...message, images: ['https://x.example/i'] })).not.to.equal(sendHash(message));
    expect(sendHash({ ...message, card: { title: 't', url: 'https://x.example' } })).not.to.equal(sendHash(message));
  });
});
