/** Currencies whose smallest unit is the whole unit. https://docs.stripe.com/currencies#zero-decimal */
const zeroDecimal: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
);

/** Amounts are given with three decimals, the last of which must be 0. https://docs.stripe.com/currencies#three-decimal */
export const threeDecimal: ReadonlySet<string> = new Set('bhd jod kwd omr tnd'.split(' '));

/** Given with two decimals for compatibility, although only whole units exist. https://docs.stripe.com/currencies#special-cases */
export const wholeUnitsTimes100: ReadonlySet<string> = new Set(['isk', 'ugx']);

const twoDecimal =
  'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc ' +
  'cve czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr isk jmd kes kgs khr kyd ' +
  'kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr ' +
  'pln qar ron rsd rub sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah ugx uyu uzs wst xcd ' +
  'yer zar zmw';

export const currencies: ReadonlySet<string> = new Set([...twoDecimal.split(' '), ...zeroDecimal, ...threeDecimal]);

/** How many of a currency's smallest units make a whole one, as a power of ten. */
export function decimalsOf(code: string): number {
  return zeroDecimal.has(code) ? 0 : threeDecimal.has(code) ? 3 : 2;
}

const table = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split(',')
      .map((entry) => entry.trim().split(' '))
      .map(([code = '', value]) => [code, Number(value)]),
  );

/**
 * The least that may be charged, in the smallest unit, where Stripe lists it:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const listedMinimums = table(
  'usd 50, aed 200, aud 50, bgn 100, brl 50, cad 50, chf 50, czk 1500, dkk 250, eur 50, gbp 30, hkd 400, huf 17500, ' +
    'inr 50, jpy 50, mxn 1000, myr 200, nok 300, nzd 50, pln 200, ron 200, sek 300, sgd 50, thb 1000',
);

/**
 * What a dollar costs, roughly, in the currencies that are far from it. Everything that is not listed above must be
 * worth 50 cents; Stripe takes the rate of the day, which changes no answer but for amounts close to that.
 */
const perDollar = table(
  'afn 70, all 85, amd 385, ang 1.8, aoa 915, ars 1400, awg 1.8, azn 1.7, bam 1.7, bbd 2, bdt 120, bhd 0.38, bif 2950, ' +
    'bob 6.9, bwp 13, byn 3, bzd 2, cdf 2400, clp 950, cny 7, cop 4000, crc 500, cve 95, djf 178, dop 62, dzd 130, ' +
    'egp 48, etb 145, fjd 2.2, gel 2.7, gmd 72, gnf 8600, gtq 7.7, gyd 209, hnl 26, htg 131, idr 16500, ils 3.3, ' +
    'isk 125, jmd 160, jod 0.71, kes 129, kgs 87, khr 4000, kmf 440, krw 1400, kwd 0.31, kzt 530, lak 21600, ' +
    'lbp 89500, lkr 302, lrd 185, lsl 17, mad 9.2, mdl 17, mga 4500, mkd 53, mmk 2100, mnt 3560, mop 8, mur 46, ' +
    'mvr 15, mwk 1735, mzn 64, nad 17, ngn 1480, nio 37, npr 141, omr 0.38, pen 3.5, pgk 4.2, php 57, pkr 281, ' +
    'pyg 7200, qar 3.64, rsd 101, rub 82, rwf 1450, sar 3.75, sbd 8.2, scr 14, sle 23, sos 571, srd 39, std 21000, ' +
    'szl 17, tjs 9.5, tnd 2.9, top 2.4, try 41, ttd 6.8, twd 31, tzs 2500, uah 41, ugx 3600, uyu 40, uzs 12200, ' +
    'vnd 26000, vuv 120, wst 2.7, xaf 570, xcd 2.7, xof 570, xpf 104, yer 240, zar 17, zmw 23',
);

const leastDollars = 0.5;

export function minimumOf(code: string): number {
  return listedMinimums.get(code) ?? Math.ceil(leastDollars * (perDollar.get(code) ?? 1) * 10 ** decimalsOf(code));
}

/** "up to 8 digits", and 12 of the rupiah, which needs them: the same page. */
export function maximumOf(code: string): number {
  return code === 'idr' ? 999_999_999_999 : 99_999_999;
}
