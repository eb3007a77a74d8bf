import { expect } from 'chai';
import { hostCapabilities } from '../../core/auth/capabilities.ts';
import { checkDeclaration } from '../../core/registry/check-declaration.ts';
import { checkTogether } from '../../core/registry/check-together.ts';
import { type InstalledModule, specOf } from '../../core/registry/spec.ts';

const act = (): never => expect.fail('not called');
const job = { id: 'shop.count', title: 'Count', run: act };
const schedule = { id: 'shop.sweep', title: 'Sweep', everySeconds: 60, run: act };
const area = { id: 'shop.files', title: 'Files', folder: 'shop', crossOrigin: false, find: act };
const addition = { id: 'shop.foot', title: 'Foot', after: act };
const shortcode = { tag: 'shop', dynamic: true, render: act };
const page = { id: 'shop.front', path: 'shop-front/door', title: 'Front', show: act };

describe('declarations: jobs, schedules, pages, areas and shortcodes', () => {
  const check = (parts: object) => () =>
    checkDeclaration({ id: 'shop', title: 'Shop', ...parts }, 'shop', hostCapabilities);

  it('are taken when they are whole', () => {
    const quick = {
      ...job,
      id: 'shop.tell',
      lane: 'mail',
      retryAfterSeconds: [0, 86_400],
      errors: ['mail_rejected'],
    };
    expect(check({ jobs: [{ ...job, lane: 'calls' }] })).to.not.throw();
    expect(check({ jobs: [job, quick], schedules: [schedule], pages: [page], areas: [area] })).to.not.throw();
    expect(check({ shortcodes: [shortcode], pageAdditions: [addition] })).to.not.throw();
  });

  it('are refused by the name of the field', () => {
    for (const [parts, message] of [
      [{ jobs: [{ ...job, run: null }] }, /^jobs: every entry must be defineJob/],
      [{ jobs: [{ ...job, id: 'other.count' }] }, /^jobs\.other\.count: must begin with "shop\."/],
      [{ jobs: [{ ...job, lane: 'slow' }] }, /^jobs\.shop\.count\.lane:/],
      [{ jobs: [{ ...job, retryAfterSeconds: 5 }] }, /^jobs\.shop\.count\.retryAfterSeconds:/],
      [{ jobs: [{ ...job, retryAfterSeconds: [-1] }] }, /^jobs\.shop\.count\.retryAfterSeconds:/],
      [{ jobs: [{ ...job, errors: ['nowhere'] }] }, /^jobs\.shop\.count\.errors:/],
      [{ schedules: [{ ...schedule, everySeconds: 0 }] }, /^schedules\.shop\.sweep\.everySeconds:/],
      [{ schedules: [{}] }, /^schedules: every entry must be defineSchedule/],
      [{ pages: [{ ...page, show: 'x' }] }, /^pages: every entry must be definePage/],
      [{ pages: [{ ...page, id: 'front' }] }, /^pages\.front: must begin/],
      [{ pages: [{ ...page, path: '/front' }] }, /^pages\.shop\.front\.path:/],
      [{ pages: [{ ...page, path: 'a/../b' }] }, /^pages\.shop\.front\.path:/],
      [{ pages: {} }, /^pages: must be an array/],
      [
        { pageAdditions: [{ ...addition, after: 1 }] },
        /^pageAdditions: every entry must be definePageAddition/,
      ],
      [{ pageAdditions: [{ ...addition, id: 'foot' }] }, /^pageAdditions\.foot: must begin/],
      [{ pageAdditions: [addition, addition] }, /^pageAdditions\.shop\.foot: is declared twice/],
      [{ shortcodes: {} }, /^shortcodes: must be an array/],
      [{ shortcodes: [{ ...shortcode, render: 1 }] }, /^shortcodes: every entry must be defineShortcode/],
      [{ shortcodes: [{ ...shortcode, tag: 'Shop' }] }, /^shortcodes\.tag:/],
      [{ shortcodes: [{ ...shortcode, dynamic: 1 }] }, /^shortcodes\.shop\.dynamic:/],
      [{ shortcodes: [{ ...shortcode, title: 1 }] }, /^shortcodes\.shop\.title:/],
      [{ shortcodes: [{ ...shortcode, attributes: {} }] }, /^shortcodes\.shop\.attributes:/],
      [{ shortcodes: [{ ...shortcode, atts: {} }] }, /^shortcodes\.shop\.atts:/],
      [{ shortcodes: [shortcode, shortcode] }, /^shortcodes\.shop: is declared twice/],
      [{ areas: [{ ...area, find: null }] }, /^areas: every entry must be defineArea/],
      [{ areas: [{ ...area, folder: '2026' }] }, /^areas\.shop\.files\.folder:/],
      [{ areas: [{ ...area, folder: 'artifacts' }] }, /^areas\.shop\.files\.folder:/],
      [{ areas: [{ ...area, crossOrigin: 'no' }] }, /^areas\.shop\.files\.crossOrigin:/],
      [{ areas: [{ ...area, headers: { Vary: 1 } }] }, /^areas\.shop\.files\.headers:/],
    ] as const) {
      expect(check(parts)).to.throw(message);
    }
  });

  it('keep the first segments of pages from sites, and each page to one module', () => {
    const installed = (id: string): InstalledModule => ({
      ...{ id, version: '1.0.0', api: 1, source: 'folder', folder: '', hash: '', error: null, served: true },
      spec: specOf({ id, title: id, pages: [page as never], publicSegments: ['more'] }),
    });
    expect(installed('shop').spec?.publicSegments).to.deep.equal(['more', 'shop-front']);
    const together = checkTogether(new Map(['shop', 'stall'].map((id) => [id, installed(id)])), [
      'shop',
      'stall',
    ]);
    expect(together.get('shop')?.error).to.equal(null);
    expect(together.get('stall')?.error).to.include({ code: 'manifest_invalid' });
    expect(together.get('stall')?.error?.message).to.include('page "shop-front/door"');
  });
});
