import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { LookupAddress } from 'node:dns';
import { addressKind } from './address.js';
import { guardedConnector, guardedLookup, type Resolve } from './connect.js';
import { createHostRules } from './rules.js';
import { startBusiness } from '../test-support/loopback.js';

const KINDS: Readonly<Record<string, readonly string[]>> = {
  public: ['93.184.216.34', '1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1', '172.32.0.1', '11.0.0.1', '100.128.0.1'],
  private: [
    ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...['::1', '[::1]', 'fc00::1', 'fd12::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:10.0.0.1', '64:ff9b::10.0.0.1'],
  ],
  never: [
    ...['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1', '::ffff:169.254.169.254', '64:ff9b::169.254.169.254'],
    ...['fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192', '::ffff:100.100.100.200'],
    ...['0.0.0.0', '0.1.2.3', '::', '224.0.0.1', '239.1.1.1', '255.255.255.255', '240.0.0.1', 'ff02::1', '::127.0.0.1', '::1.1.1.1'],
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '2002:7f00:1::', '2001::1', 'fec0::1'],
    ...['', 'localhost', 'not an address', '1.2.3.4.5', '999.1.1.1'],
  ],
};

describe('what an address is', () => {
  for (const [kind, literals] of Object.entries(KINDS)) {
    for (const literal of literals) {
      it(`${literal === '' ? 'nothing' : literal} is ${kind}`, () => expect(addressKind(literal)).to.equal(kind));
    }
  }
});

describe('the host rules', () => {
  it('admit a private address only for a host that is allowed by name, and by port where one is named', () => {
    const rules = createHostRules({ allowPrivateHosts: ['erp.internal:8443', 'LocalHost.', '[::1]:80', '10.1.2.3'] });
    expect(rules.admits('10.0.0.1', 'erp.internal', 8443)).to.equal(true);
    expect(rules.admits('10.0.0.1', 'ERP.internal.', 8443)).to.equal(true);
    expect(rules.admits('10.0.0.1', 'erp.internal', 443)).to.equal(false);
    expect(rules.admits('10.0.0.1', 'evil.erp.internal', 8443)).to.equal(false);
    expect(rules.admits('127.0.0.1', 'localhost', 1)).to.equal(true);
    expect(rules.admits('::1', '::1', 80)).to.equal(true);
    expect(rules.admits('::1', '[::1]', 81)).to.equal(false);
    expect(rules.admits('10.1.2.3', '10.1.2.3', 5)).to.equal(true);
    expect(rules.admits('1.1.1.1', 'anything.example', 443)).to.equal(true);
  });

  it('never admit link-local and metadata addresses, whoever is named', () => {
    const rules = createHostRules({ allowPrivateHosts: ['metadata.internal', '169.254.169.254', 'fe80::1'] });
    expect(rules.admits('169.254.169.254', 'metadata.internal', 80)).to.equal(false);
    expect(rules.admits('169.254.169.254', '169.254.169.254', 80)).to.equal(false);
    expect(rules.admits('fe80::1', 'fe80::1', 80)).to.equal(false);
  });

  it('keep a port of 443 and of 80 in an entry', () => {
    const rules = createHostRules({ allowPrivateHosts: ['a.internal:443', 'b.internal:80'] });
    expect([rules.mayBePrivate('a.internal', 443), rules.mayBePrivate('a.internal', 80)]).to.deep.equal([true, false]);
    expect([rules.mayBePrivate('b.internal', 80), rules.mayBePrivate('b.internal', 443)]).to.deep.equal([true, false]);
  });

  it('refuse entries that are no host', () => {
    for (const entry of ['', ' ', 'http://a.internal', 'a.internal/path', 'u@a.internal', 'a b', '*']) {
      const build = (): unknown => createHostRules({ allowPrivateHosts: [entry] });
      if (entry === '*') expect(createHostRules({ allowPrivateHosts: [entry] }).mayBePrivate('a.internal', 80)).to.equal(false);
      else expect(build, entry).to.throw(BailingError);
    }
  });
});

describe('connecting', () => {
  const answering =
    (...addresses: string[]): Resolve =>
    (_hostname, done) =>
      done(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  it('gets only admitted addresses of a name that has both kinds', (done) => {
    const lookup = guardedLookup(createHostRules(), 80, answering('10.0.0.1', '1.1.1.1', '169.254.169.254'));
    lookup('both.example', { all: true }, (error, found) => {
      expect([error, found]).to.deep.equal([null, [{ address: '1.1.1.1', family: 4 }]]);
      done();
    });
  });

  it('is refused by name where nothing is admitted, in both forms of lookup', (done) => {
    const lookup = guardedLookup(createHostRules(), 80, answering('10.0.0.1', '::ffff:127.0.0.1'));
    lookup('inside.example', { all: false }, (error) => {
      expect(error).to.be.instanceOf(BailingError).with.property('code', 'BAILING_OUTBOUND_HOST_REFUSED');
      lookup('inside.example', { all: true }, (again) => {
        expect(again).to.be.instanceOf(BailingError);
        done();
      });
    });
  });

  it('resolves once: a name that answers differently the second time stays refused or admitted', async () => {
    const peer = await startBusiness((response) => response.end('ok'));
    let asked = 0;
    const flipping: Resolve = (hostname, done) =>
      ++asked === 1 ? answering('127.0.0.1')(hostname, done) : answering('169.254.169.254')(hostname, done);
    const rules = createHostRules({ allowPrivateHosts: ['rebind.example'] });
    const connect = guardedConnector(rules, 1_000, flipping);
    const remote = await new Promise((resolve, reject) =>
      connect({ hostname: 'rebind.example', host: 'rebind.example', protocol: 'http:', port: String(peer.port) }, (error, socket) => {
        if (error) return reject(error);
        resolve(socket.remoteAddress);
        socket.destroy();
      }),
    );
    expect([remote, asked]).to.deep.equal(['127.0.0.1', 1]);
    await peer.close();
  });

  it('refuses a literal address without opening a socket', (done) => {
    const connect = guardedConnector(createHostRules(), 1_000);
    connect({ hostname: '169.254.169.254', host: '169.254.169.254', protocol: 'http:', port: '80' }, (...[error]) => {
      expect(error).to.be.instanceOf(BailingError);
      done();
    });
  });
});
